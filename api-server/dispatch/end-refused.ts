import type { UndispatchedCommand } from '../../common/store/dispatch.ts'
import type { RefusalCode } from './dispatch-metrics.ts'
import type { DispatcherDeps } from './dispatcher-deps.ts'

interface Refused {
  readonly code: RefusalCode
  readonly errorMessage: string
  readonly error?: unknown
}

/** Ends a command whose custom resource will never exist, so that its client does not wait for it. */
export async function endRefused(
  { store, metrics, logger, effects }: DispatcherDeps,
  { commandId, accountName }: UndispatchedCommand,
  { code, errorMessage, error }: Refused,
): Promise<'refused'> {
  const outcome = { status: 'FAILED', errorStatus: 'INTERNAL_ERROR', errorMessage } as const
  const report = { commandId, attempt: null, outcome, steps: null, usage: null, logs: [] }
  await effects.failpoint('dispatch.command_refused', () => store.commitOutcome(report))
  metrics.counted('refused')
  metrics.refused(code)
  logger.error('custom resource refused; the command fails', {
    command_id: commandId,
    account: accountName,
    why: errorMessage,
    ...(error === undefined ? {} : { error }),
  })
  return 'refused'
}
