import type { Clock, Effects } from '../../common/runtime/effects.ts'

/** Clock, randomness and ids of a browser; plain http has no `crypto.randomUUID`. */
export const browserEffects: Pick<Effects, 'clock' | 'random' | 'newId'> = {
  clock: {
    monotonicMs: () => performance.now(),
    wall: () => new Date(),
    schedule(delayMs, callback) {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
  } satisfies Clock,
  random: Math.random,
  newId: () => uuidV7(new Date().getTime(), crypto.getRandomValues(new Uint8Array(16))),
}

/** RFC 9562 version 7. */
export function uuidV7(unixMs: number, random: Uint8Array): string {
  const bytes = Uint8Array.from(random)
  for (let index = 0; index < 6; index++)
    bytes[index] = Math.floor(unixMs / 256 ** (5 - index)) % 256
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}
