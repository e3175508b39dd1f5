import { failures, isErrorStatus } from '../../common/domain/failures.ts'

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
