import path from 'node:path'
import type { CorpusCommand } from '../read-corpus.ts'
import { judgeOverRest } from './judge-over-rest.ts'
import type { ServiceUnderTest } from './judge-over-rest.ts'

export interface Verdict {
  readonly command: CorpusCommand
  /** Rejects where the command could not be judged. */
  readonly differences: Promise<string[]>
}

/** Most of a command's time goes by while its pod starts: several at once keep a machine busy. */
const inFlight = 4

/** Begins at once; the verdicts come in the order of `commands`. */
export function judgeAll(
  commands: readonly CorpusCommand[],
  service: ServiceUnderTest,
  folder: string,
): Verdict[] {
  const verdicts = commands.map((command) => ({
    command,
    ...Promise.withResolvers<string[]>(),
  }))
  for (const { promise } of verdicts) promise.catch(() => undefined)
  const waiting = verdicts.values()
  for (let index = 0; index < inFlight; index += 1) void work(path.join(folder, String(index)))
  return verdicts.map(({ command, promise }) => ({ command, differences: promise }))

  async function work(own: string): Promise<void> {
    for (const { command, resolve, reject } of waiting) {
      try {
        resolve(await judgeOverRest(command, service, own))
      } catch (error) {
        reject(error)
      }
    }
  }
}
