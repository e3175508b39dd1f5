import { Icon } from '../parts/icons.tsx'
import type { Problem, Remedy } from '../draft/problems.ts'

interface Props {
  readonly id: string
  readonly problems: readonly Problem[]
  /** Goes to the place; absent where all have none. */
  readonly show?: (problem: Problem) => void
  readonly mend?: (problem: Problem, remedy: Remedy) => void
}

/** Mistakes in a field, each with its place and its remedy. */
export function ProblemList({ id, problems, show, mend }: Props) {
  return (
    <ul id={id} class="problems" aria-live="polite">
      {problems.map((problem) => (
        <li key={problem.text} class={problem.tone}>
          <Icon name={problem.tone === 'bad' ? 'failed' : 'warning'} />
          <span class="problem-text">{problem.text}</span>
          {problem.at !== null && show !== undefined && (
            <button type="button" class="button quiet small" onClick={() => show(problem)}>
              Show
            </button>
          )}
          {problem.remedy !== null && mend !== undefined && (
            <MendButton problem={problem} remedy={problem.remedy} mend={mend} />
          )}
        </li>
      ))}
    </ul>
  )
}

interface MendProps {
  readonly problem: Problem
  readonly remedy: Remedy
  readonly mend: NonNullable<Props['mend']>
}

function MendButton({ problem, remedy, mend }: MendProps) {
  return (
    <button type="button" class="button small" onClick={() => mend(problem, remedy)}>
      {remedy.kind === 'declare' ? `Add ${remedy.alias}` : `Write ${remedy.by}`}
    </button>
  )
}
