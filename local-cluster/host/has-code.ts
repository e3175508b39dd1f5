/** Whether an error has one of these codes of the system or of PostgreSQL (`ENOENT`, `42P04`). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code)
}
