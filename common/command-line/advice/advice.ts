import type { WarningCode } from '../../domain/command-warnings.ts'

/** Probable mistake in a command that is accepted. */
export interface Advice {
  /** Code of the warning in the command's record; null for what is said at submission alone. */
  readonly code: WarningCode | null
  readonly message: string
  readonly alias: string | null
}
