import { lstat } from 'node:fs/promises'
import { hasCode } from '../../../common/runtime/error-code.ts'
import { openRegularFile } from '../runtime/regular-file.ts'
import type { RegularFile } from '../runtime/regular-file.ts'

export interface GrowingSource {
  /** The file as it is called now: a run that is repeated writes another one. null = none yet. */
  current(): Promise<RegularFile | null>
  close(): void
}

/** @param onReplaced awaited before the file that has lost its name is closed */
export function createGrowingSource(path: string, onReplaced: () => Promise<void>): GrowingSource {
  let opened: RegularFile | null = null
  return {
    async current() {
      const known = opened === null ? null : await opened.facts()
      if (known !== null && known.ino === (await inodeOf(path))) return opened
      const found = openRegularFile(path)
      if (found === null) return opened
      await onReplaced()
      opened?.close()
      opened = found
      return opened
    },
    close() {
      const file = opened
      opened = null
      file?.close()
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
