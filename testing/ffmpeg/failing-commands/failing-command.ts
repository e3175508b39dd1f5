import type { ErrorStatus } from '../../../common/domain/failures.ts'

/**
 * A command that FFmpeg 7.1 refuses or fails at, the name of its `out_1`, the verdict, and all that
 * the message has after the sentence of the verdict.
 *
 * Inputs: `in_1` an MP4 with picture and sound, `in_2` an MP3, `in_3` a PNG of odd size, `in_4` text
 * under the name of an MP4, `in_5` an MP4 cut before its index, `in_6` subtitles, `in_7` a Matroska
 * cut in its header, `in_8` an empty file, `in_9` another size without sound, `in_10` a WebM.
 */
export type FailingCommand = readonly [
  command: string,
  output: string,
  status: ErrorStatus,
  lines: string,
]
