/** Bytes from the start of a body that are enough to know a page: blanks and a comment included. */
export const sniffedBytes = 1024

/**
 * Whether a body is an HTML page. Sharing services answer 200 with a page if a browser would show a
 * dialogue; stored as a video it would fail later, far from its cause.
 */
export function looksLikeWebPage(start: Uint8Array, fileName: string): boolean {
  if (/\.html?$/i.test(fileName)) return false
  const text = Buffer.from(start.subarray(0, sniffedBytes)).toString('latin1')
  return pageStart.test(text)
}

/**
 * A comment ends at the first possible end: if it could continue after it, 146 empty ones could be
 * parsed in 2^146 ways, and a body of a kilobyte blocked its runner without end.
 */
const pageStart =
  /^(?:\u00ef\u00bb\u00bf)?(?:\s|<!--(?:(?!-->)[^])*-->)*<(?:!doctype\s+html|html)[\s>]/i
