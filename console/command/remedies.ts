import { failures, isErrorStatus } from '../../common/domain/failures.ts'
import { hasEnded } from '../parts/state.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

export interface ErrorRemedy {
  readonly sentence: string
  readonly whose: string
  readonly again: string
  readonly remedy: string
}

const whose = {
  caller: 'your command',
  input: 'the server of the input',
  destination: 'the storage',
  service: 'this service',
} as const

const again = {
  no: 'running it again changes nothing',
  maybe: 'running it again may help',
  yes: 'run it again',
} as const

type Ended = Pick<CommandStatusRecord, 'status' | 'error_status' | 'original_request'>

/** Whether "Fix in the playground" stands beside the error, in place of "Edit". */
export function isFixable({ status, error_status: kind, original_request: request }: Ended) {
  return status === 'FAILED' && kind !== null && kind !== 'CANCELLED' && request !== null
}

/** The action that makes sense first. @returns null while the command runs, or once its request was deleted */
export function firstAction(record: Ended): 'again' | 'fix' | null {
  const { error_status: kind, original_request: request } = record
  if (!hasEnded(record) || request === null) return null
  if (!isFixable(record) || kind === null || !isErrorStatus(kind)) return 'again'
  return failures[kind].again === 'no' ? 'fix' : 'again'
}

/** @returns null for a kind that this version does not know */
export function remedyOf(errorStatus: string): ErrorRemedy | null {
  if (!isErrorStatus(errorStatus)) return null
  const entry = failures[errorStatus]
  return {
    sentence: entry.sentence,
    whose: whose[entry.fault],
    again: again[entry.again],
    remedy: entry.remedy,
  }
}
