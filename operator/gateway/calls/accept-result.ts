import type { Result } from '../../../common/gateway/messages.ts'
import { isFinal } from '../../../common/domain/states.ts'
import { differingObjects } from '../../../common/storage/differing-objects.ts'
import type { Outcome } from '../../../common/store/attempts.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import { outcomeFromResult } from '../../status/outcome-from-result.ts'
import {
  expectedObjects,
  namesItsFiles,
  outputPrefix,
  storageError,
} from '../../status/stored-outputs.ts'
import { ok, otherSteps, refused, superseded, unknownCommand, unknownStep } from './answers.ts'
import type { GatewayResponse } from './answers.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import { commitReport, recorded } from './commit-report.ts'
import { fitsStorage } from './storage-quota.ts'
import { podStages } from '../../observe/pod-stages.ts'
import type { Runner } from '../identity/runner-identity.ts'

/**
 * The commit point: once the store has answered, the command has ended, even if the runner, this
 * process or the reply is lost. A repeated report reads its own outcome back.
 */
export async function acceptResult(
  deps: GatewayDeps,
  runner: Runner,
  result: Result,
): Promise<GatewayResponse> {
  const { commandId, podUid } = runner
  const beganMs = deps.effects.clock.monotonicMs()
  const row = await deps.store.findForReconcile(commandId)
  if (row === null) return unknownCommand
  if (isFinal(row.status)) return recorded(row)
  if (row.attempt !== podUid) return superseded
  const { steps, usage, logs } = result
  const stepCount = row.source.commands.length
  if (steps.length !== stepCount) return otherSteps(stepCount, steps.length)
  const unknown = unknownStep(result)
  if (unknown !== null) return unknown
  const commit = {
    commandId,
    attempt: podUid,
    jobGeneration: runner.jobGeneration,
    steps,
    usage,
    logs,
  }
  const checked = await checkObjects(deps, runner, row, result)
  if ('answer' in checked) return checked.answer
  if (checked.outcome === null && result.outcome.status === 'SUCCESS') {
    // The account's storage may have been filled since the URLs were signed.
    const objects = result.outcome.files.map(({ compressedBytes, sizeBytes }) => ({
      sizeBytes: compressedBytes ?? sizeBytes,
    }))
    const full = isOutput(row)
      ? await fitsStorage(deps, runner, row, objects, { steps, usage, logs })
      : null
    if (full !== null) return full
  }
  const outcome =
    checked.outcome ?? outcomeFromResult(result, row, podUid, () => deps.effects.newId())
  return commitReport(deps, runner, { ...commit, outcome }, () =>
    observe(deps, row, podUid, beganMs),
  )
}

/** The stages that the rows do not time. */
function observe(
  { lifecycle, pods, effects: { clock } }: GatewayDeps,
  row: ReconcileRow,
  podUid: string,
  beganMs: number,
): void {
  if (!isOutput(row)) return
  const seconds = (clock.monotonicMs() - beganMs) / 1_000
  lifecycle.stage({ stage: 'commit', outcome: 'ok', seconds })
  const pod = pods.podByUid(podUid)
  // The row has the time of its first attempt.
  const claimedAt = row.attempts === 1 ? row.startedAt : null
  if (pod !== null) podStages(pod, claimedAt).forEach(lifecycle.stage)
}

/** A file of a client has its own check, and one that is analysed is stored already. */
function isOutput({ commandType }: ReconcileRow): boolean {
  return commandType !== 'STORED_FILE'
}

/**
 * A PUT whose answer was lost may overwrite a later one of the same object, and an object may be gone:
 * so the bucket is compared with the result before users see it. The runner stores differing objects
 * once more; after that the command fails.
 */
async function checkObjects(
  { objects, logger }: GatewayDeps,
  { commandId, podUid }: Runner,
  row: ReconcileRow,
  { outcome }: Result,
): Promise<{ answer: GatewayResponse } | { outcome: Outcome | null }> {
  const prefix = outputPrefix(row, podUid)
  if (outcome.status === 'FAILED' || prefix === null) return { outcome: null }
  if (!namesItsFiles(outcome)) {
    return { answer: refused(422, 'The objects of the result are not its files') }
  }
  const differences = await differingObjects(objects, prefix, expectedObjects(outcome))
  const [first] = differences
  if (first === undefined) return { outcome: null }
  const isLastTry = outcome.objects === undefined || outcome.storedAgain === true
  logger.warn('stored objects differ from the result', {
    command_id: commandId,
    attempt: podUid,
    objects: differences.length,
    ...first,
    final: isLastTry,
  })
  if (isLastTry) return { outcome: storageError(first) }
  return { answer: ok({ kind: 'differs', paths: differences.map(({ path }) => path) }) }
}
