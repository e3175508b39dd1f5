import type { ReadBytes } from './read-bytes.ts'

/**
 * Whether an MP3 states its length, in a frame of Xing or VBRI in front of its sound; else FFmpeg
 * extrapolates from the bit rate of its beginning, which may be silence.
 */
export function statesLength(read: ReadBytes): boolean {
  let at = 0
  for (let tags = 0; tags < mostTags; tags++) {
    const head = read(at, 10)
    if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') break
    const hasFooter = ((head[5] ?? 0) & 0x10) !== 0
    // seven bits a byte, so that no length looks like the beginning of a frame
    const bytes = [6, 7, 8, 9].reduce((sum, index) => sum * 128 + ((head[index] ?? 0) & 0x7f), 0)
    at += bytes + (hasFooter ? 20 : 10)
  }
  const first = read(at, searchedBytes)
  const counts = ['Xing', 'Info'].map((name) => first.indexOf(name)).filter((found) => found !== -1)
  // the lowest of its flags: the number of frames follows
  return first.includes('VBRI') || counts.some((found) => ((first[found + 7] ?? 0) & 1) === 1)
}

const mostTags = 10
/** Some taggers leave room behind the tag; a frame has 1,441 bytes at most. */
const searchedBytes = 16 * 1024
