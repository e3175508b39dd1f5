import { createReadStream } from 'node:fs'
import { crc32 } from 'node:zlib'

/** CRC-32 of a range of an open file, which stays open. */
export async function rangeChecksum(
  fd: number,
  { start, bytes }: { start: number; bytes: number },
): Promise<number> {
  let checksum = crc32('')
  if (bytes === 0) return checksum
  const body = createReadStream(`/proc/self/fd/${String(fd)}`, {
    start,
    end: start + bytes - 1,
    highWaterMark: 1024 * 1024,
  })
  for await (const chunk of body) {
    if (chunk instanceof Buffer) checksum = crc32(chunk, checksum)
  }
  return checksum
}
