import { lstat } from 'node:fs/promises'
import { hasCode } from '../../../common/runtime/error-code.ts'

export interface Fingerprint {
  /** Changes whenever the file is written again: the same before and after means the same bytes. */
  readonly state: string
  readonly sizeBytes: number
}

/** null = the file does not exist. */
export async function fingerprint(path: string): Promise<Fingerprint | null> {
  try {
    const { ino, size, mtimeNs } = await lstat(path, { bigint: true })
    return { state: [ino, size, mtimeNs].join(':'), sizeBytes: Number(size) }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
