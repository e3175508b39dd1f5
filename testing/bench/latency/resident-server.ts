import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { runCommand } from '../../../e2e/cluster/host/run-command.ts'
import { listenAt } from '../../support/http-server.ts'
import { runnerRoot } from '../../../e2e/installation/build-runner.ts'
import type { ClusterSettings } from '../../../e2e/cluster/host/settings.ts'
import type { Say } from '../../../e2e/cluster/host/progress.ts'

/**
 * The bound of what a service can reach: an HTTP server that is there already and spawns FFmpeg of the
 * runner's image for each request, without a pod, a row, or anything between two callers.
 */
export interface ResidentServer {
  /** Request to answer without FFmpeg's own time, in ms. */
  measure(): Promise<number>
  close(): Promise<void>
}

/** FFmpeg's part of `tinyCommand`. */
const tinyArguments = [
  '-v',
  'error',
  '-y',
  '-f',
  'lavfi',
  '-i',
  'testsrc2=duration=0.1:size=64x64',
  '-frames:v',
  '1',
  '/tmp/resident.png',
]

export async function startResidentServer(options: {
  settings: ClusterSettings
  say: Say
}): Promise<ResidentServer> {
  const root = await runnerRoot(options)
  const server = createServer((request, response) => {
    void json(request).then(async () => {
      const begun = performance.now()
      await runCommand('chroot', [root, '/usr/bin/ffmpeg', ...tinyArguments])
      response.end(JSON.stringify({ ffmpegMs: performance.now() - begun }))
    })
  })
  const { url, close } = await listenAt('127.0.0.1', server)
  return {
    async measure() {
      const begun = performance.now()
      const answer = await fetch(url, { method: 'POST', body: '{}' })
      const { ffmpegMs } = (await answer.json()) as { ffmpegMs: number }
      return performance.now() - begun - ffmpegMs
    },
    close,
  }
}
