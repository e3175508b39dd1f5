import type { Clock } from './effects.ts'

/**
 * Resolves at the first of three: the call of `done`, the end of `ms`, the abort of `signal`.
 * @param listen passes `done` on; what it returns is called once, before the promise resolves, whichever comes first
 */
export function waitFor(
  clock: Clock,
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  listen: (done: () => void) => () => void,
): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  let isOver = false
  let unlisten: (() => void) | null = null
  const end = (): void => {
    if (isOver) return
    isOver = true
    cancel()
    signal.removeEventListener('abort', end)
    unlisten?.()
    resolve()
  }
  const cancel = clock.schedule(ms, end)
  signal.addEventListener('abort', end, { once: true })
  unlisten = listen(end)
  // `listen` may have called `done` at once.
  if (isOver) unlisten()
  return promise
}
