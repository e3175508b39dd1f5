import { Failure } from '../../common/domain/failures.ts'
import type {
  AgainVerdict,
  RecordedVerdict,
  Result,
  Success,
} from '../../common/gateway/messages.ts'
import type { Execution } from './attempt/execution.ts'
import { reportedObjects } from './upload/stored-objects.ts'
import { createUploader } from './upload/upload-files.ts'
import { errorMessage } from './report/error-message.ts'

type Reporting = Pick<Execution, 'effects' | 'gateway' | 'log' | 'objects' | 'signal'>

/**
 * Reports the result. If the gateway finds objects in the bucket that are not as they were stored,
 * they are stored once more and the result is reported a second time.
 * @throws AttemptEnded
 */
export async function reportResult(
  result: Result,
  deps: Reporting,
): Promise<RecordedVerdict | AgainVerdict> {
  const { effects, gateway, log } = deps
  const report = (given: Result) =>
    effects.failpoint('transfer.reported', () => gateway.result(given))
  const verdict = await report(result)
  if (verdict.kind !== 'differs') return verdict
  if (result.outcome.status === 'FAILED') throw new Error('a failure has no objects to compare')
  log('warn', 'storing objects again that differ', { paths: verdict.paths })
  const outcome = await storeAgain(verdict.paths, result.outcome, deps)
  const second = await report({ ...result, outcome })
  if (second.kind === 'differs') throw new Error('the gateway compared the objects a third time')
  return second
}

async function storeAgain(
  paths: readonly string[],
  success: Success,
  deps: Reporting,
): Promise<Result['outcome']> {
  const differing = paths.flatMap((path) => deps.objects.get(path) ?? [])
  try {
    await createUploader(deps)(differing, deps.signal)
    return { ...success, objects: reportedObjects(deps.objects), storedAgain: true }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { status: errorStatus, message } = error
    return { status: 'FAILED', errorStatus, errorMessage: errorMessage(message, '', {}) }
  }
}
