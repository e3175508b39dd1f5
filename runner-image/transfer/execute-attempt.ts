import { Failure } from '../../common/domain/failures.ts'
import { workOnFile } from './files/work-on-file.ts'
import { takeSnapshot } from './folder/folder-snapshot.ts'
import { joinTiles } from './attempt/join-tiles.ts'
import { makeOutputs, storeFolder, storeMade } from './attempt/make-outputs.ts'
import { deferredSupervisor } from './supervisor/deferred-supervisor.ts'
import { planAssignment } from './attempt/plan-assignment.ts'
import { beginInputs, late, unpackInputs } from './attempt/prepare-inputs.ts'
import { plannedWarnings } from './warnings/planned-warnings.ts'
import { streamRuns } from './streamed/stream-runs.ts'
import { createTransferAllowance } from './runtime/transfer-allowance.ts'
import type { OutputFile } from '../../common/gateway/messages.ts'
import type { Ready } from '../link/messages.ts'
import type { Execution } from './attempt/execution.ts'

/**
 * The work of one attempt, in the order of the stages that users see.
 * @returns the records of what was stored
 * @throws Failure, FfmpegContainerLost, AttemptEnded
 */
export async function executeAttempt(execution: Execution): Promise<OutputFile[]> {
  const { assignment, attempt, effects, reporter, signal, work } = execution
  if (assignment.file !== null) return workOnFile(execution, assignment.file)
  const plan = planAssignment(assignment)
  execution.warnings.add(plannedWarnings(plan, assignment))
  const allowance = createTransferAllowance(effects.clock, assignment.limits.transferSeconds)

  const arriving = beginInputs(plan, execution, allowance)
  try {
    const arrived = await arriving.usable
    attempt.moveTo({ status: 'PROCESSING', stage: 'PREPARING_INPUT_FILES' })
    attempt.usage.inputBytes = await effects.failpoint('transfer.inputs_ready', () =>
      unpackInputs(arriving, execution),
    )
    const inputs = await joinTiles(arrived, plan, execution)
    const before = assignment.outputs === null ? await takeSnapshot(work) : null
    attempt.moveTo({ status: 'PREPARED_FFMPEG_COMMAND', stage: 'PREPARING_INPUT_FILES' })
    reporter.notify()
    announceRun(execution)
    const supervisor = deferredSupervisor(execution.supervisor)
    const folders = plan.steps.flatMap((step) => step.folders)
    const runs = streamRuns({ ...execution, supervisor, inputs, arriving, allowance, folders })
    const made = await makeOutputs(plan, inputs, runs, execution)
    // Downloads that FFmpeg has not requested would only compete with the uploads.
    await arriving.drop()
    if (assignment.inputFolder === null) attempt.usage.inputBytes = arriving.bytes()

    attempt.moveTo({ status: 'PROCESSING', stage: 'UPLOADING' })
    reporter.notify()
    const files = await allowance.spend(
      signal,
      () => new Failure('STORAGE_ERROR', late(assignment.limits.transferSeconds, 'stored')),
      (stop) => (before === null ? storeMade(made, stop) : storeFolder(before, execution, stop)),
    )
    attempt.usage.outputBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    return files
  } finally {
    await arriving.drop()
  }
}

/** FFmpeg is about to run once its container is there. */
function announceRun({ attempt, supervisor, log }: Execution): void {
  const logReady = ({ sandbox, ffmpegVersion }: Ready): void => {
    log('info', 'ready to run', { ffmpeg_version: ffmpegVersion, sandbox })
  }
  supervisor
    .then((connected) => {
      attempt.moveTo({ status: 'PROCESSING', stage: 'FFMPEG_PROCESSING' })
      return connected.ready().then(logReady)
    })
    // A rejection ends the attempt at the owner of the link.
    .catch(() => undefined)
}
