import { isBlank } from '../draft/checker.ts'
import { Icon } from '../parts/icons.tsx'
import type { Checker } from '../draft/checker.ts'
import type { Draft } from '../draft/draft.ts'

interface Props {
  readonly checker: Checker
  readonly draft: Draft
  /** Aliases that have no file yet. */
  readonly missing: readonly string[]
  /** Names of files that are uploaded now. */
  readonly waitingFor: readonly string[]
  readonly isWrong: boolean
  readonly isSending: boolean
  readonly isArmed: boolean
  readonly run: () => void
  readonly disarm: () => void
}

/** Runs the command, and says what it waits for. At the bottom of narrow screens. */
export function RunBar(props: Props) {
  const { missing, draft, isSending, isArmed, run, disarm } = props
  return (
    <div class="run-bar">
      <span class={props.isWrong ? 'problem' : 'muted'} role="status">
        {stateOf(props)}
      </span>
      {isArmed ? (
        <button type="button" class="button" onClick={disarm}>
          Do not run
        </button>
      ) : (
        <button
          type="button"
          class="button primary"
          disabled={isSending || isBlank(draft) || missing.length > 0}
          title="Ctrl Enter"
          onClick={run}
        >
          <Icon name="play" />
          Run
        </button>
      )}
    </div>
  )
}

function stateOf({ checker, draft, missing, waitingFor, ...now }: Props): string {
  const planError = checker.planError.value
  if (isBlank(draft)) return ''
  if (now.isSending) return 'Sending'
  if (now.isArmed) return `Runs as soon as ${waitingFor.join(', ')} is uploaded`
  if (planError !== null) return planError
  if (now.isWrong) {
    const count = checker.problems.value.filter(({ tone }) => tone === 'bad').length
    return count === 1 ? '1 problem' : `${count} problems`
  }
  if (missing.length > 0) return `${missing.join(', ')} has no file yet`
  if (checker.isAway.value) return 'The service does not answer; the text alone was checked'
  return checker.isChecked.value ? 'Checked' : 'Checking'
}
