import { lstatSync } from 'node:fs'

export interface Fingerprint {
  /** Changes whenever the file is written again: the same before and after means the same bytes. */
  readonly state: string
  readonly sizeBytes: number
}

/** null = the file does not exist. Synchronous for the reason of `openRegularFile`. */
export function fingerprint(path: string): Fingerprint | null {
  const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (facts === undefined) return null
  const { ino, size, mtimeNs } = facts
  return { state: [ino, size, mtimeNs].join(':'), sizeBytes: Number(size) }
}
