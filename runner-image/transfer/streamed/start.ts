/**
 * Of a file that is read ahead to know its container: the index of half a day of video, a font or two,
 * a picture of the album. One file at a time, it is an eighth of what `transfer` has for everything.
 */
export const longestStart = 32 * 1024 * 1024

export type ContainerStart =
  /** FFmpeg makes the same of it from a pipe as from a file. */
  | { kind: 'streamed'; seconds: number | null }
  | { kind: 'whole' }
  /** Call again with this many bytes; never more than the longest start. */
  | { kind: 'more'; bytes: number }
