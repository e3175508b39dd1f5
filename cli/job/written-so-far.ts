import type { Client } from '../client/client.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** The runner writes statistics into the log every ten seconds. */
const readEveryMs = 10_000

/** Lines of FFmpeg may follow the statistics. */
const lines = 50

/**
 * Reads from the end of the log how much FFmpeg has written, for a command of unknown
 * length, which has no percent. The record does not have these figures.
 */
export function createWrittenSoFar(
  client: Client,
  { signal, clock }: Pick<Shell, 'signal' | 'clock'>,
) {
  let words: string | null = null
  let readMs = -Infinity

  async function read(id: string): Promise<void> {
    // Best-effort: without the log there is one figure less.
    const text = await client.getCommandLogs(id, { tail: lines }, { signal }).catch(() => '')
    words = wordsOf(text) ?? words
  }

  return {
    /** @returns "12 s written, 1.4x"; null where nothing can be said yet */
    words(record: CommandStatusRecord): string | null {
      const { command_id, processing_stage, progress_percent } = record
      if (processing_stage !== 'FFMPEG_PROCESSING' || progress_percent !== null) {
        words = null
        return null
      }
      const now = clock.monotonicMs()
      if (now - readMs >= readEveryMs) {
        readMs = now
        void read(command_id)
      }
      return words
    },
  }
}

function wordsOf(log: string): string | null {
  const found = [...log.matchAll(/\btime=(\d+):(\d\d):(\d\d)\.\d+(?:.*?\bspeed= *([\d.]+)x)?/g)].at(
    -1,
  )
  if (found === undefined) return null
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(1, 4).map(Number)
  const speed = found[4] === undefined ? '' : `, ${found[4]}x`
  return `${hours * 3_600 + minutes * 60 + seconds} s written${speed}`
}
