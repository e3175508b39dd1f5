/**
 * Warnings of a command that ended with SUCCESS, but probably not as its author meant. Codes are part of
 * the API: clients decide by them, so that none changes its meaning. The list grows with minor versions.
 */
export const warningMeanings = {
  MISSING_GLYPHS: 'No font has a character of a text, which is a box in the picture',
  TRAILING_OPTIONS: 'Options stand behind the last output, where FFmpeg drops them',
  STRAY_PERCENT: "A text of drawtext has a '%' that begins nothing, and is not drawn",
  DAMAGED_INPUT: 'FFmpeg met broken data in an input, which the output may show',
  MISSING_SEGMENTS: 'A playlist names files that were not stored',
  HEVC_TAG: "HEVC in MP4 or MOV has the tag 'hev1', which Apple's players refuse",
  PRIVATE_PLAYLIST: 'A presigned URL opens a private playlist, and not its segments',
  TILED_PICTURE: 'FFmpeg read one tile of a picture that is made of tiles',
} as const

export type WarningCode = keyof typeof warningMeanings

export function isWarningCode(text: string): text is WarningCode {
  return Object.hasOwn(warningMeanings, text)
}

export interface CommandWarning {
  readonly code: WarningCode
  readonly message: string
  /** The input or output that it is about: `out_1`; null where it is about the whole command. */
  readonly alias: string | null
}
