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
