import { hash } from 'node:crypto'
import type { FfmpegCommandStatus } from '../../crds/ffmpegcommand.ts'
import type { StoredFileStatus } from '../../crds/storedfile.ts'

export type WorkStatus = FfmpegCommandStatus | StoredFileStatus

/** The published status of a custom resource, small enough to keep for every object. */
export interface ShownStatus {
  readonly state: NonNullable<WorkStatus['state']> | null
  /** Reason for the state, in one identifier. */
  readonly reason: string | null
  /** The status shows an end. */
  readonly ended: boolean
  /** Hash of all fields but the frequently changing ones. */
  readonly essence: string
  /** Hash of all fields. */
  readonly whole: string
  /** `type=status@time` of each condition, so that an unchanged one keeps its time. */
  readonly transitions: string
  /** The import was rejected permanently: the row does not exist and never will. */
  readonly rejected: boolean
  readonly phase: Phase
}

/** Nothing shown, waits, admitted, running, ended: how far a status is, as a number that only grows. */
export type Phase = 0 | 1 | 2 | 3 | 4

export function shownStatus(status: WorkStatus): ShownStatus {
  const conditions = status.conditions ?? []
  return {
    state: status.state ?? null,
    reason: status.reason ?? null,
    ended: isEndState(status.state),
    essence: essenceOf(status),
    whole: wholeOf(status),
    transitions: conditions
      .map((condition) => `${condition.type}=${condition.status}@${condition.lastTransitionTime}`)
      .join('|'),
    rejected: rejections.some((reason) => reason === status.reason),
    phase: phaseOf(status),
  }
}

/** Reason of an object whose row was lost and cannot be inserted again. */
export const recordLost = 'RecordLost'

const rejections = ['Rejected', 'NotOurs', recordLost]

export function phaseOf({ state, conditions = [] }: WorkStatus): Phase {
  const holds = (type: string): boolean =>
    conditions.some((condition) => condition.type === type && condition.status === 'True')
  if (isEndState(state)) return 4
  if (holds('Running')) return 3
  if (holds('Admitted')) return 2
  return state === undefined ? 0 : 1
}

export function wholeOf(status: WorkStatus): string {
  const conditions = status.conditions ?? []
  return digest({
    ...status,
    conditions: conditions.map((condition) => ({ ...condition, lastTransitionTime: undefined })),
  })
}

export function essenceOf(status: WorkStatus): string {
  return digest({
    ...status,
    ...withoutProgress,
    // A transient state between two others, not worth a separate write.
    state: passing[status.state ?? ''] ?? status.state,
    conditions: (status.conditions ?? []).map(verdictOf),
  })
}

const passing: Readonly<Record<string, string>> = {
  PREPARED_FFMPEG_COMMAND: 'PROCESSING',
  DOWNLOADED: 'DOWNLOADING',
}

export function isEndState(state: WorkStatus['state']): boolean {
  return state === 'SUCCESS' || state === 'STORED' || state === 'FAILED'
}

type StatusCondition = NonNullable<WorkStatus['conditions']>[number]

const withoutProgress = {
  stage: undefined,
  progressPercent: undefined,
  steps: undefined,
  queuePosition: undefined,
  message: undefined,
} as const satisfies Partial<Record<keyof FfmpegCommandStatus, undefined>>

function verdictOf({ type, status, reason }: StatusCondition): unknown {
  return { type, status, reason }
}

/** Times that conditions had: type to status and lastTransitionTime. */
export function transitionsOf(
  shown: ShownStatus,
): ReadonlyMap<string, { status: string; at: string }> {
  const entries = shown.transitions.split('|').filter((text) => text !== '')
  return new Map(
    entries.map((text) => {
      const [, type = '', status = '', at = ''] = /^([^=]*)=([^@]*)@(.*)$/.exec(text) ?? []
      return [type, { status, at }] as const
    }),
  )
}

function digest(value: unknown): string {
  return hash('sha1', canonical(value), 'base64').slice(0, 16)
}

/** The API server sends keys in its own order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  let text = ''
  for (const [name, inner] of fields) {
    if (inner !== undefined) text += `${text === '' ? '' : ','}"${name}":${canonical(inner)}`
  }
  return `{${text}}`
}
