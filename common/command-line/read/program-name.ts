const program =
  /^["']?(?:(?:[^"']*[/\\])?(?:ffmpeg[-.\w]*|avconv)|\$\{?\w*ffmpeg(?:_?(?:path|bin|binary|cmd|exe))?\}?|%\w*ffmpeg\w*%)(?:\.exe)?["']?$/i

const bareProgram = /^(?:.*[/\\])?ffmpeg(?:\.exe)?$/i

/** PATH_MAX; longer words would keep the patterns busy for seconds. */
const longestName = 4096

/** True where nothing but the program can be meant: `ffmpeg-7.mp4` may be a file. */
export function isProgramAlone(text: string): boolean {
  return text.length < longestName && bareProgram.test(text)
}

/**
 * True for the program name that people put in front, with or without its folder, of Windows too,
 * with a version, or as the variable that holds it in their script.
 * @param written as sent, with its quotes
 */
export function isProgramName(written: string): boolean {
  return written.length < longestName && program.test(written)
}
