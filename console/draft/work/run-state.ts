import { isBlank, missingFiles } from '../draft.ts'
import { uploadingNames } from '../input-files.ts'
import type { Problem } from '../problems/problems.ts'
import type { Work } from './works.ts'

/** Facts that decide whether the user may run the command. */
export interface RunFacts {
  readonly isBlank: boolean
  /** Aliases that have no file yet. */
  readonly missing: readonly string[]
  /** Aliases whose files the service has deleted. */
  readonly gone: readonly string[]
  /** Names of files that are uploaded now. */
  readonly uploading: readonly string[]
  readonly isSending: boolean
  /** The command is submitted once its files are uploaded. */
  readonly isArmed: boolean
  /** Number of problems that the service would refuse. */
  readonly wrong: number
  readonly warnings: number
  readonly planError: string | null
  readonly isAway: boolean
  readonly isChecked: boolean
}

/** Answers of the checker that the run depends on. */
type Checks = Pick<RunFacts, 'gone' | 'planError' | 'isAway' | 'isChecked'> & {
  readonly problems: readonly Problem[]
}

export function runFacts({ draft, phase }: Work, { problems, ...checks }: Checks): RunFacts {
  return {
    ...checks,
    isBlank: isBlank(draft),
    missing: missingFiles(draft),
    uploading: uploadingNames(draft),
    isSending: phase === 'sending',
    isArmed: phase === 'armed',
    wrong: problems.filter(({ tone }) => tone === 'bad').length,
    warnings: problems.filter(({ tone }) => tone === 'warning').length,
  }
}

/**
 * Next step of "Run". Problems do not keep it from the service, whose answer is the last word, but it would
 * accept a deleted file, and the command would fail.
 * @returns null where it does nothing
 */
export function runStep({ isBlank, missing, gone, uploading, isSending }: RunFacts) {
  if (isBlank || missing.length > 0 || gone.length > 0 || isSending) return null
  return uploading.length > 0 ? 'arm' : 'submit'
}

/** Reason of a wait, in words beside "Run". */
export function runWords(facts: RunFacts): string {
  const { missing, wrong, planError } = facts
  if (facts.isBlank) return 'Write a command first'
  if (facts.isSending) return 'Sending'
  if (facts.isArmed) return `Runs as soon as ${facts.uploading.join(', ')} is uploaded`
  if (facts.gone.length > 0) {
    return `${facts.gone.join(', ')}: the service has deleted the file`
  }
  if (planError !== null) return planError
  if (wrong > 0) return wrong === 1 ? '1 problem' : `${wrong} problems`
  if (missing.length > 0)
    return `${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} no file yet`
  if (facts.isAway) return 'The service does not answer; the text alone was checked'
  if (facts.isChecked && facts.warnings > 0) {
    return facts.warnings === 1 ? '1 warning' : `${facts.warnings} warnings`
  }
  return facts.isChecked ? 'Checked' : 'Checking'
}
