import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Bytes of a file from `offset` on; fewer at its end. */
export type ReadBytes = (offset: number, length: number) => Buffer

/** Calls `use` with a regular file. @returns null if it is none, or cannot be read */
export function readingFile<T>(file: string, use: (read: ReadBytes) => T): T | null {
  let fd: number | null = null
  try {
    // a pipe in the working folder would hold an ordinary open forever
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const opened = fd
    if (!fstatSync(opened).isFile()) return null
    return use((offset, length) => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, mostAtOnce)))
      return buffer.subarray(0, readSync(opened, buffer, 0, buffer.length, offset))
    })
  } catch {
    // absent or a link: `transfer` reports it from its own check of the path
    return null
  } finally {
    if (fd !== null) closeSync(fd)
  }
}

/** The lengths in a file are its author's choice. */
const mostAtOnce = 4 * 1024 * 1024

/** Reads these bytes like those of a file. */
export function readingBytes(bytes: Buffer): ReadBytes {
  return (offset, length) => bytes.subarray(offset, offset + length)
}
