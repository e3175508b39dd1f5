import type { Part } from './lifecycle.ts'

/** Something that runs until its signal aborts, as a part of the process. */
export function loopPart(name: string, run: (signal: AbortSignal) => Promise<void>): Part {
  const stopping = new AbortController()
  let running = Promise.resolve()
  return {
    name,
    async start() {
      running = run(stopping.signal)
    },
    stop() {
      stopping.abort()
      return running
    },
  }
}
