import type { Clock } from '../../../common/runtime/effects.ts'
import { startFenced } from '../sandbox/fenced-process.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

export interface FfprobeDeps {
  readonly clock: Clock
  readonly sandbox: Sandbox
  /** Largest picture that FFmpeg may decode. */
  readonly maxPixels: number
  readonly signal: AbortSignal
}

/** A report of ffprobe about a file. */
export interface ProbeKind {
  /** Options for the fields shown and the part of the file that is read. */
  readonly argv: readonly string[]
  /** FFmpeg never waits for it: it runs at the lowest priority. */
  readonly gentle: boolean
}

/** An ffprobe that has started, and waits for the name of its file. */
export interface FfprobeProcess {
  isWaiting(): boolean
  /**
   * At most once, and 30 s long.
   * @param file absolute, so that no name is taken for an option or a protocol
   * @returns whether ffprobe ended by itself and without an error
   */
  at(file: string, onStdout: (chunk: Buffer) => void): Promise<boolean>
  drop(): void
}

/**
 * ffprobe reads the value of `-/i` from its stdin: when that comes, its 200 libraries are linked,
 * which takes longer than reading the file (90 of 97 ms).
 */
export function startFfprobe(
  { clock, sandbox, maxPixels, signal }: FfprobeDeps,
  kind: ProbeKind,
): FfprobeProcess {
  signal.throwIfAborted()
  let onStdout: (chunk: Buffer) => void = () => undefined
  let waiting = true
  const running = startFenced(
    clock,
    sandbox,
    {
      program: 'ffprobe',
      argv: [
        '-hide_banner',
        '-v',
        'error',
        ...kind.argv,
        '-max_pixels',
        String(maxPixels),
        '-protocol_whitelist',
        'file,crypto,data',
        '-/i',
        'pipe:0',
      ],
      fileBytes: 0,
    },
    { onStdout: (chunk) => onStdout(chunk), takesStdin: true },
  )
  if (kind.gentle) running.giveWay()
  const kill = (): void => running.signal('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  const ended = running.ended.then(({ code }) => {
    waiting = false
    signal.removeEventListener('abort', kill)
    return code === 0
  })

  return {
    isWaiting: () => waiting,
    async at(file, onChunk) {
      waiting = false
      onStdout = onChunk
      running.write(file)
      const cancel = clock.schedule(longestLookMs, kill)
      const succeeded = await ended
      cancel()
      return succeeded
    },
    drop: kill,
  }
}

const longestLookMs = 30_000
