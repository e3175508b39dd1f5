/** Path by alias, relative to the working folder. */
export type InputPaths = Readonly<Record<string, string>>

/** A line of FFmpeg's log as a user may read it, but without the blanks around it. */
export function scrubbed(line: string, inputPaths: InputPaths): string {
  return scrubbedLine(line, inputPaths).replaceAll('\t', ' ').trim()
}

/** A line of FFmpeg's log as a user may read it. Summaries and lists of streams are indented. */
export function scrubbedLine(line: string, inputPaths: InputPaths): string {
  return withoutPaths(withoutControls(line), inputPaths)
    .replace(/ @ 0x[0-9a-f]+/gi, '')
    .trimEnd()
}

/** With the user's names in place of the service's paths, and no other change. */
export function withoutPaths(line: string, inputPaths: InputPaths): string {
  let text = line
  for (const [alias, path] of byLengthDown(inputPaths)) {
    text = text
      .replaceAll(path.replace('../in/', '/job/in/'), `{{${alias}}}`)
      .replaceAll(path, `{{${alias}}}`)
  }
  return text.replace(/\/job\/(?:work|in|tmp)\//g, '')
}

/** Without extension, `../in/in_1` is the start of `../in/in_10.mp4`. */
function byLengthDown(inputPaths: InputPaths): [string, string][] {
  return Object.entries(inputPaths).toSorted(([, a], [, b]) => b.length - a.length)
}

export function printable(text: string): string {
  return withoutControls(text).replaceAll('\t', ' ')
}

/**
 * FFmpeg's log contains metadata of hostile files, and our sentences contain names of their
 * archives, unescaped: escape sequences could rewrite a terminal. Tabs stay.
 */
function withoutControls(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- control characters are what is removed
      .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
      // oxlint-disable-next-line no-control-regex -- control characters are what is removed
      .replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
      // They change the direction of all the text after them: `gpj.exe` would read as `exe.jpg`.
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
  )
}
