/**
 * RFC 9562 version 7: 48 bits of Unix milliseconds, then 74 random bits.
 * @param random 10 bytes
 */
export function uuidV7(unixMs: number, [first = 0, second = 0, third = 0, ...rest]: Uint8Array) {
  const high = Math.floor(unixMs / 0x1_0000)
  const time = [high >>> 24, high >>> 16, high >>> 8, high, unixMs >>> 8, unixMs]
  const marked = [(first & 0x0f) | 0x70, second, (third & 0x3f) | 0x80]
  return [...time, ...marked, ...rest]
    .map((byte) => (byte & 0xff).toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
