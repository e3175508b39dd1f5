import type { FileStatus } from '../../domain/states.ts'

/** How a file came: from a command, from a client, from a URL. */
export const fileKinds = ['output', 'upload', 'url'] as const
export type FileKind = (typeof fileKinds)[number]

/** Kinds of files, once they are known. */
export const fileTypes = [
  'video',
  'audio',
  'image',
  'subtitles',
  'output_manifest',
  'zip',
  'other',
] as const
export type FileType = (typeof fileTypes)[number]

export interface FileFilter {
  readonly accountId: string
  readonly status: FileStatus | null
  /** null: all. */
  readonly kinds: readonly FileKind[] | null
  /** null: all, and those whose type is not known. */
  readonly types: readonly FileType[] | null
  /** The command whose outputs they are; null: any. */
  readonly commandId: string | null
  /** RFC 3339, inclusive. */
  readonly createdAfter: string | null
  /** RFC 3339, exclusive. */
  readonly createdBefore: string | null
  /** Only files that follow this one in the list; none if the account does not have it. */
  readonly beforeId: string | null
  readonly limit: number
  readonly offset: number
}

/** State of a file that followers of an account see. */
export interface LiveFile {
  readonly accountId: string
  readonly fileId: string
  readonly status: FileStatus
  /** null: not the output of a command. */
  readonly commandId: string | null
}
