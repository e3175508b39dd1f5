import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { giveBackMemory, pieceBytes, takeMemory } from '../runtime/reused-memory.ts'

/** CRC-32 of a range of an open file, which stays open. */
export async function rangeChecksum(
  fd: number,
  { start, bytes }: { start: number; bytes: number },
): Promise<number> {
  let checksum = crc32('')
  const file = await open(`/proc/self/fd/${String(fd)}`)
  const memory = takeMemory()
  try {
    for (let done = 0; done < bytes;) {
      const length = Math.min(bytes - done, pieceBytes)
      const { bytesRead } = await file.read(memory, 0, length, start + done)
      if (bytesRead === 0) break
      checksum = crc32(memory.subarray(0, bytesRead), checksum)
      done += bytesRead
    }
  } finally {
    await file.close()
    giveBackMemory(memory)
  }
  return checksum
}
