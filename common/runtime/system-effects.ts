import { randomFillSync } from 'node:crypto'
import { directly } from './failpoint.ts'
import { uuidV7 } from '../ids/uuid-v7.ts'
import type { Clock, Effects, Failpoint } from './effects.ts'

/** The real clock, randomness and ids of a running process. */
export function systemEffects(failpoint: Failpoint = directly): Effects {
  return {
    clock: systemClock,
    random: Math.random,
    newId: () => uuidV7(systemClock.wall().getTime(), randomBytes(10)),
    failpoint,
  }
}

/**
 * Ends the process as a lost node would: no cleanup and no notification. A signal would not do: the
 * first process of a container gets only signals that it handles, not even its own SIGKILL.
 */
export function crash(): never {
  process.exit(137)
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wall: () => new Date(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Fetched in advance: each request has an id, and each fetch is a system call. */
const pool = Buffer.alloc(4096)
let used = pool.length

/** @param count up to 4096; read them before the next call */
function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}
