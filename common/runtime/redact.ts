/**
 * Removes what a log must never hold: our API keys, bearer tokens, passwords in URLs, and query
 * strings of URLs (a presigned URL is a credential until it expires). Searches for the rare parts
 * first, `://` and `?`, and then backwards: otherwise a text of only `a.` or `http://` would take
 * quadratic time.
 */
export function redact(text: string): string {
  // Most texts are short words, which one search passes.
  if (!secretLike.test(text)) return text
  return text
    .replace(/\bcff_[A-Za-z0-9_-]{20,}/g, 'cff_…')
    .replace(/\bBearer\s+[A-Za-z0-9._~+/-]+=*/gi, 'Bearer …')
    .replace(/:\/\/[^\s/"'@]+@/g, '://…@')
    .replace(/(?<=\bhttps?:\/\/[^\s"'?#]+)\?[^\s"']*/gi, '?…')
}

const secretLike = /cff_|bearer\s|:\/\//i
