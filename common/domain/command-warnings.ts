/**
 * What went another way than the command's author meant, although it ended with SUCCESS. Codes are
 * part of the API: clients decide by them, so that none changes its meaning.
 */
export const warningCodes = [
  'MISSING_GLYPHS',
  'TRAILING_OPTIONS',
  'STRAY_PERCENT',
  'DAMAGED_INPUT',
  'MISSING_SEGMENTS',
  'HEVC_TAG',
  'PRIVATE_PLAYLIST',
  'TILED_PICTURE',
] as const

export type WarningCode = (typeof warningCodes)[number]

export interface CommandWarning {
  readonly code: WarningCode
  readonly message: string
  /** The input or output that it is about: `out_1`; null where it is about the whole command. */
  readonly alias: string | null
}
