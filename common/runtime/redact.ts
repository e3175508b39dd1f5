/**
 * Removes what a log must never hold: our API keys, bearer tokens, passwords in URLs, and query
 * strings of URLs (a presigned URL is a credential until it expires). Begins at what is rare, `://` and
 * `?`, and looks back: a text of nothing but `a.` or `http://` would take the square of its length.
 */
export function redact(text: string): string {
  return text
    .replace(/\bcff_[A-Za-z0-9_-]{20,}/g, 'cff_…')
    .replace(/\bBearer\s+[A-Za-z0-9._~+/-]+=*/gi, 'Bearer …')
    .replace(/:\/\/[^\s/"'@]+@/g, '://…@')
    .replace(/(?<=\bhttps?:\/\/[^\s"'?#]+)\?[^\s"']*/gi, '?…')
}
