/**
 * Removes what a log must never hold: our API keys, bearer tokens, passwords in URLs, and query
 * strings of URLs (a presigned URL is a credential until it expires).
 */
export function redact(text: string): string {
  return text
    .replace(/\bcff_[A-Za-z0-9_-]{20,}/g, 'cff_…')
    .replace(/\bBearer\s+[A-Za-z0-9._~+/-]+=*/gi, 'Bearer …')
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/"'@]+@/gi, '$1…@')
    .replace(/\b(https?:\/\/[^\s"'?#]+)\?[^\s"']*/gi, '$1?…')
}
