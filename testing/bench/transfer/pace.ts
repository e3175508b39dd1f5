import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** Waits as long as bytes of a connection are ahead of its rate. */
export type Pace = (socket: Socket, bytes: number) => Promise<void>

/** @param bytesPerSecond of each connection, in either direction; null = as fast as it goes */
export function createPace(bytesPerSecond: number | null): Pace {
  const since = new WeakMap<Socket, { start: number; bytes: number }>()
  return async (socket, bytes) => {
    if (bytesPerSecond === null) return
    const own = since.get(socket) ?? { start: performance.now(), bytes: 0 }
    since.set(socket, own)
    own.bytes += bytes
    const aheadMs = (own.bytes / bytesPerSecond) * 1000 - (performance.now() - own.start)
    // An idle connection saves nothing up for later.
    if (aheadMs < -100) since.set(socket, { start: performance.now(), bytes: 0 })
    if (aheadMs > 5) await wait(aheadMs)
  }
}
