/**
 * FFmpeg prints metadata of strangers' files as it is, and a text cut in the middle of a surrogate
 * pair is none. Postgres' text holds every character but NUL and half a pair.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}
