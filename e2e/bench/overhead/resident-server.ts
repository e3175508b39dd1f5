import { createServer } from 'node:http'
import { runCommand } from '../../../local-cluster/host/run-command.ts'
import { runnerRoot } from '../../../images/build-runner.ts'
import { listenAt } from '../../../testing/support/http-server.ts'
import { tinyCommand } from '../cluster/tiny-command.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'

/**
 * The bound of what a service can reach: an HTTP server that is there already and spawns FFmpeg of the
 * runner's image for each request, without a pod, a row, or anything between two callers.
 */
export async function startResidentServer(environment: BenchEnvironment) {
  const root = await runnerRoot(environment)
  const options = tinyCommand.ffmpeg_command.replace('{{out_1}}', '/tmp/resident.png').split(' ')
  const server = createServer((_request, response) => {
    const begun = performance.now()
    void runCommand('chroot', [root, '/usr/bin/ffmpeg', '-y', ...options]).then(() =>
      response.end(`${performance.now() - begun}`),
    )
  })
  const { url, close } = await listenAt('127.0.0.1', server)
  return {
    close,
    /** Request to answer without FFmpeg's own time, in ms. */
    async measure(): Promise<number> {
      const begun = performance.now()
      const ffmpegMs = Number(await (await fetch(url)).text())
      return performance.now() - begun - ffmpegMs
    },
  }
}
