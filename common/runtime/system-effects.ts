import { randomFillSync } from 'node:crypto'
import { directly } from './failpoint.ts'
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

/**
 * RFC 9562 version 7: 48 bits of Unix milliseconds, then 74 random bits.
 * @param random 10 bytes
 */
export function uuidV7(unixMs: number, random: Uint8Array): string {
  const high = Math.floor(unixMs / 0x1_0000)
  const at = (index: number): number => random[index] ?? 0
  return (
    `${hexOf(high >>> 24)}${hexOf(high >>> 16)}${hexOf(high >>> 8)}${hexOf(high)}-` +
    `${hexOf(unixMs >>> 8)}${hexOf(unixMs)}-` +
    `${hexOf((at(0) & 0x0f) | 0x70)}${hexOf(at(1))}-` +
    `${hexOf((at(2) & 0x3f) | 0x80)}${hexOf(at(3))}-` +
    `${hexOf(at(4))}${hexOf(at(5))}${hexOf(at(6))}${hexOf(at(7))}${hexOf(at(8))}${hexOf(at(9))}`
  )
}

/** Each request has an id or two; a Buffer for each took four times as long. */
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(number: number): string {
  return hex[number & 0xff] ?? ''
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
