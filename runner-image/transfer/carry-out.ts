import { Failure } from '../../common/failures.ts'
import type { Assignment, OutputFile } from '../../common/gateway/messages.ts'
import type { Execution } from './execution.ts'
import { workOnFile } from './files/work-on-file.ts'
import { takeSnapshot } from './folder/folder-snapshot.ts'
import { makeOutputs, storeFolder, storeMade } from './make-outputs.ts'
import { planAssignment } from './plan-assignment.ts'
import { fetchUsedInputs, unpackInputs } from './prepare-inputs.ts'
import type { Supervisor } from './supervisor-link.ts'
import { createTransferAllowance } from './transfer-allowance.ts'

/**
 * The work of one attempt, in the order of the stages that users see.
 * @returns the records of what was stored
 * @throws Failure, NeighbourLost, AttemptEnded
 */
export async function carryOut(execution: Execution): Promise<OutputFile[]> {
  const { assignment, attempt, effects, reporter, signal, work } = execution
  if (assignment.file !== null) return workOnFile(execution, assignment.file)
  const plan = planAssignment(assignment)
  const allowance = createTransferAllowance(effects.clock, assignment.limits.transferSeconds)

  const inputs = await allowance.spend(
    signal,
    () => new Failure('UNREACHABLE_INPUT_FILE', late(assignment, 'fetched')),
    (stop) => fetchUsedInputs(plan, execution, stop),
  )

  attempt.moveTo({ status: 'PROCESSING', stage: 'PREPARING_INPUT_FILES' })
  attempt.usage.inputBytes = await effects.failpoint('transfer.inputs_ready', () =>
    unpackInputs(inputs, execution),
  )
  const before = assignment.outputs === null ? await takeSnapshot(work) : null
  const supervisor = await readySupervisor(execution)

  attempt.moveTo({ status: 'PREPARED_FFMPEG_COMMAND', stage: 'PREPARING_INPUT_FILES' })
  reporter.poke()
  attempt.moveTo({ status: 'PROCESSING', stage: 'FFMPEG_PROCESSING' })
  const made = await makeOutputs(plan, inputs, supervisor, execution)

  attempt.moveTo({ status: 'PROCESSING', stage: 'UPLOADING' })
  reporter.poke()
  const files = await allowance.spend(
    signal,
    () => new Failure('STORAGE_ERROR', late(assignment, 'stored')),
    (stop) =>
      before === null ? storeMade(made, execution, stop) : storeFolder(before, execution, stop),
  )
  attempt.usage.outputBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return files
}

function late({ limits }: Assignment, what: string): string {
  return `Files could not be ${what} within ${String(limits.transferSeconds)} seconds`
}

async function readySupervisor({ supervisor, log }: Execution): Promise<Supervisor> {
  const connected = await supervisor
  const { sandbox, ffmpegVersion } = await connected.ready()
  log('info', 'ready to run', { ffmpegVersion, sandbox })
  return connected
}
