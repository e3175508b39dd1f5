import { Button } from '../controls/button.tsx'
import { runStep, runWords } from '../draft/work/run-state.ts'
import type { RunFacts } from '../draft/work/run-state.ts'

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
        <Button onClick={disarm}>Do not run</Button>
      ) : (
        <Button
          look="primary"
          icon="play"
          title="Ctrl Enter"
          isOff={runStep(facts) === null}
          onClick={run}
        >
          Run
        </Button>
      )}
    </div>
  )
}
