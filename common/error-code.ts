/** Whether an error of the operating system or of Node.js has one of these codes, `ENOENT` say. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return typeof error.code === 'string' && codes.includes(error.code)
}
