/** Of the operating system, Node.js or Postgres: `ENOENT`, `ERR_SSL_…`, `42P04`. null where there is none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error)
  return code !== null && codes.includes(code)
}
