import { Icon } from '../parts/icons.tsx'
import { runStep, runWords } from './run-state.ts'
import type { RunFacts } from './run-state.ts'

interface Props {
  readonly facts: RunFacts
  readonly run: () => void
  readonly disarm: () => void
}

/** Runs the command, and says what it waits for. At the bottom of narrow screens. */
export function RunBar({ facts, run, disarm }: Props) {
  return (
    <div class="run-bar">
      <span class={facts.wrong > 0 ? 'problem' : 'muted'} role="status">
        {runWords(facts)}
      </span>
      {facts.isArmed ? (
        <button type="button" class="button" onClick={disarm}>
          Do not run
        </button>
      ) : (
        <button
          type="button"
          class="button primary"
          disabled={runStep(facts) === null}
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
