/**
 * Longest start of a file that is read ahead to detect its container: the index of half a day of
 * video, a font or two, the picture of an album. Read one file at a time, it is an eighth of the
 * memory of `transfer`.
 */
export const longestStart = 32 * 1024 * 1024

export type ContainerStart =
  /** FFmpeg's output is the same from a pipe as from a file. */
  | { kind: 'streamed'; seconds: number | null }
  | { kind: 'whole' }
  /** Call again with this many bytes; never more than the longest start. */
  | { kind: 'more'; bytes: number }
