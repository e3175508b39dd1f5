import { parsePodName } from '../../common/gateway/pod-name.ts'
import type { CommandRow, Tables } from './memory-store/memory-rows.ts'

/** A row of a command as the last audit found it. */
export interface Seen {
  version: number
  position: { status: CommandRow['status']; stage: CommandRow['stage'] }
  percent: number | null
  attempt: string | null
  lost: number
  jobGeneration: number
  released: boolean
  finalAtMs: number | null
  end: string | null
}

export function seenOf(row: CommandRow): Seen {
  return {
    version: row.version,
    position: { status: row.status, stage: row.stage },
    percent: row.progressPercent,
    attempt: row.attempt,
    lost: row.lostAttempts.length,
    jobGeneration: row.jobGeneration,
    released: row.releasedAt !== null,
    finalAtMs: null,
    end: null,
  }
}

/** Finds, too, a change that did not raise the version. */
export function isUnchanged(row: CommandRow, last: Seen): boolean {
  return (
    row.version === last.version &&
    row.status === last.position.status &&
    row.attempt === last.attempt &&
    (row.releasedAt !== null) === last.released
  )
}

export function endOf(row: CommandRow, tables: Tables): string {
  const { status, errorStatus, errorMessage, attempt, finishedAt } = row
  const own = filesOf(row, tables)
  const facts = { status, errorStatus, errorMessage, attempt, finishedAt }
  return JSON.stringify({
    ...facts,
    steps: row.steps.map((step) => step.status),
    files: own.map((file) => [file.status, file.key]),
  })
}

/** Results of the work: outputs, or the stored file itself. */
export function filesOf({ submission }: CommandRow, { files }: Tables): Tables['files'] {
  const id = submission.commandId
  return files.filter(({ commandId, fileId }) => commandId === id || fileId === id)
}

/** The name of a warm runner's pod says nothing of its command. */
export function isOf(
  { submission, attempt }: CommandRow,
  podName: string,
  podUid: string,
): boolean {
  return parsePodName(podName)?.commandId === submission.commandId || podUid === attempt
}
