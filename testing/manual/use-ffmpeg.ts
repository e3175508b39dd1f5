import { patienceMs } from '../support/until.ts'
import { CommandFailed, runCommand } from '../../e2e/cluster/host/run-command.ts'
import { clusterSettings } from '../../e2e/cluster/host/settings.ts'
import { runnerRoot } from '../../e2e/installation/build-runner.ts'

/**
 * Gives the surrounding `describe` FFmpeg of the runner image.
 *
 * @returns a function that runs FFmpeg and returns its output, or its errors when it refuses: a refusal is an answer here
 */
export function useFfmpeg(): (...args: string[]) => Promise<string> {
  let root = ''
  before(async function () {
    // builds the image where nothing is cached
    this.timeout(600_000)
    const say = (text: string): void => console.log(`      ${text}`)
    root = await runnerRoot({ settings: clusterSettings(process.env), say })
  })
  return async (...args) => {
    const argv = [root, '/usr/bin/ffmpeg', '-hide_banner', '-nostdin', ...args]
    try {
      return await runCommand('chroot', argv, { timeoutMs: patienceMs })
    } catch (error) {
      if (error instanceof CommandFailed) return error.stderr
      throw error
    }
  }
}
