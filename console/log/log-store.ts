import { signal } from '@preact/signals'
import { createLogLines } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

/** FFmpeg's log of a command, as it is written. */
export function createLog(client: Client, id: string) {
  const log = createLogLines()
  const lines = signal<readonly LogLine[]>([])
  const state = signal<'loading' | 'following' | 'ended' | 'failed'>('loading')
  const problem = signal<unknown>(null)
  const stop = new AbortController()
  let isDue = false
  void read()
  return { lines, state, problem, close: () => stop.abort() }

  async function read(): Promise<void> {
    try {
      for await (const piece of client.followLogs(id, { levels: true, signal: stop.signal })) {
        log.append(piece)
        state.value = 'following'
        showSoon()
      }
      state.value = 'ended'
      showSoon()
    } catch (error) {
      if (stop.signal.aborted) return
      problem.value = error
      state.value = 'failed'
    }
  }

  /** Once a frame: a busy log has hundreds of pieces a second. */
  function showSoon(): void {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      lines.value = [...log.lines()]
    })
  }
}

export type Log = ReturnType<typeof createLog>
