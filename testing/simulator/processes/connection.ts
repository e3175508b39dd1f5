import type { SimulatedProcess } from '../world/process.ts'

/** A request to a process. The connection breaks when the process dies before it has answered. */
export function connection<T>(process: SimulatedProcess, answer: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onKill = (): void => reject(new Error('connection reset'))
    process.killed.addEventListener('abort', onKill, { once: true })
    process
      .reach(answer)
      .finally(() => process.killed.removeEventListener('abort', onKill))
      .then(resolve, reject)
  })
}
