import { closeSync, constants, fstat, fstatSync, openSync, readlinkSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { hasCode } from '../../../common/runtime/error-code.ts'

/** Opened for reading, without following anything; `sizeBytes` is of the opened file, not of a name. */
export interface RegularFile {
  readonly fd: number
  readonly sizeBytes: number
  /** Current facts. */
  facts(): Promise<Stats>
  close(): void
}

/**
 * Opens a file that FFmpeg's container left behind. Code that broke out of FFmpeg could have
 * planted a link to this container's token, or a FIFO that blocks the open without end: so links
 * are not followed, the open does not wait, and the descriptor must match the path.
 *
 * Synchronous: the kernel answers within microseconds, while each of these calls in a thread of Node.js
 * takes tens of them of the processor that FFmpeg needs, and waits for it twice.
 * @param path absolute, without links in the part that is ours
 * @returns null if it is not a regular file with a single link
 */
export function openRegularFile(path: string): RegularFile | null {
  const fd = openUnfollowed(path)
  if (fd === null) return null
  try {
    const facts = fstatSync(fd)
    const real = readlinkSync(`/proc/self/fd/${String(fd)}`)
    if (facts.isFile() && facts.nlink === 1 && real === path) {
      return { fd, sizeBytes: facts.size, facts: () => factsOf(fd), close: () => closeSync(fd) }
    }
  } catch (error) {
    closeSync(fd)
    throw error
  }
  closeSync(fd)
  return null
}

function factsOf(fd: number): Promise<Stats> {
  return new Promise((resolve, reject) => {
    fstat(fd, (error, facts) => {
      if (error === null) resolve(facts)
      else reject(error)
    })
  })
}

function openUnfollowed(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (hasCode(error, ...absentCodes)) return null
    throw error
  }
}

/** ELOOP: the last component is a link. ENXIO: a socket. EACCES: FFmpeg took the read bit away. */
const absentCodes = ['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'ENODEV', 'EACCES']
