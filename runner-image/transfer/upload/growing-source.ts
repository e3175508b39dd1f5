import { lstat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { hasCode } from '../../../common/runtime/error-code.ts'
import { openRegularFile } from '../runtime/regular-file.ts'

export interface GrowingSource {
  /** The file as it is called now: a run that is repeated writes another one. null = none yet. */
  current(): Promise<FileHandle | null>
  close(): Promise<void>
}

/** @param onReplaced awaited before the file that has lost its name is closed */
export function createGrowingSource(path: string, onReplaced: () => Promise<void>): GrowingSource {
  let opened: FileHandle | null = null
  return {
    async current() {
      const known = opened === null ? null : await opened.stat()
      if (known !== null && known.ino === (await inodeOf(path))) return opened
      const found = await openRegularFile(path)
      if (found === null) return opened
      await onReplaced()
      await opened?.close()
      opened = found.handle
      return opened
    },
    async close() {
      const handle = opened
      opened = null
      await handle?.close()
    },
  }
}

async function inodeOf(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).ino
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
