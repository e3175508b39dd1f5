import { Failure } from '../../../common/domain/failures.ts'
import type { Assignment, OutputFile } from '../../../common/gateway/messages.ts'
import type { Execution } from '../attempt/execution.ts'
import { createTransferAllowance } from '../runtime/transfer-allowance.ts'
import { analyseFile } from './analyse-file.ts'
import { storeFile } from './store-file.ts'

/**
 * The work on a stored file in place of a command.
 * @returns its one record
 * @throws Failure, AttemptEnded
 */
export async function workOnFile(
  execution: Execution,
  file: NonNullable<Assignment['file']>,
): Promise<OutputFile[]> {
  const { assignment, effects, signal } = execution
  const { transferSeconds } = assignment.limits
  const allowance = createTransferAllowance(effects.clock, transferSeconds)
  const late = (status: Failure['status'], what: string) => (): Failure =>
    new Failure(status, `The file could not be ${what} within ${String(transferSeconds)} seconds`)
  const steps = {
    fetch: <T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> =>
      allowance.spend(signal, late('UNREACHABLE_INPUT_FILE', 'fetched'), work),
    store: <T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> =>
      allowance.spend(signal, late('STORAGE_ERROR', 'stored'), work),
  }
  const record =
    file.kind === 'store'
      ? await storeFile(execution, file, steps)
      : await analyseFile(execution, file, steps)
  return [record]
}
