import { constants } from 'node:fs'
import { open, readlink } from 'node:fs/promises'
import { hasCode } from '../../../common/runtime/error-code.ts'
import type { FileHandle } from 'node:fs/promises'

/** Opened without following anything; `sizeBytes` is of the opened file, not of a name. */
export interface RegularFile {
  readonly handle: FileHandle
  readonly sizeBytes: number
}

/**
 * Opens a file that FFmpeg's container left behind. Code that broke out of FFmpeg could have
 * planted a link to this container's token, or a FIFO that blocks the open without end: so links
 * are not followed, the open does not wait, and the descriptor must match the path.
 * @param path absolute, without links in the part that is ours
 * @returns null if it is not a regular file with a single link
 */
export async function openRegularFile(path: string): Promise<RegularFile | null> {
  const handle = await openUnfollowed(path)
  if (handle === null) return null
  const facts = await handle.stat()
  const real = await readlink(`/proc/self/fd/${String(handle.fd)}`)
  if (facts.isFile() && facts.nlink === 1 && real === path) {
    return { handle, sizeBytes: facts.size }
  }
  await handle.close()
  return null
}

async function openUnfollowed(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (hasCode(error, ...absentCodes)) return null
    throw error
  }
}

/** ELOOP: the last component is a link. ENXIO: a socket. EACCES: FFmpeg took the read bit away. */
const absentCodes = ['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'ENODEV', 'EACCES']
