import { randomBytes } from 'node:crypto'
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
  const bits = new DataView(random.buffer, random.byteOffset, random.byteLength)
  const time = hex(unixMs, 12)
  const version = hex((bits.getUint16(0) & 0x0fff) | 0x7000, 4)
  const variant = hex((bits.getUint16(2) & 0x3fff) | 0x8000, 4)
  const node = hex(bits.getUint16(4), 4) + hex(bits.getUint32(6), 8)
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${node}`
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}
