/** How much of an answer is kept. */
export const excerptBytes = 1_024

/** Tab, line feed and carriage return are text; PostgreSQL stores no NUL. */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/**
 * The text that the bytes begin with. A character that is cut at the end is left out.
 * @returns null without text, and if it is not UTF-8
 */
export function textExcerpt(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, excerptBytes), {
      stream: true,
    })
    return text === '' || control.test(text) ? null : text
  } catch {
    return null
  }
}
