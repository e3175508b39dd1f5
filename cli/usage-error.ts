/** The command line itself is wrong: exit code 2, and the way to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
