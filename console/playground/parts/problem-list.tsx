import { Button } from '../../controls/button.tsx'
import { Icon } from '../../controls/icons.tsx'
import type { Problem, Remedy } from '../../draft/problems/problems.ts'

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
    <ul id={id} class="problems column" aria-live="polite">
      {problems.map((problem) => (
        <li key={problem.text} class={problem.tone}>
          <Icon name={problem.tone === 'bad' ? 'failed' : 'warning'} />
          <span class="problem-text">{problem.text}</span>
          {problem.at !== null && show !== undefined && (
            <Button look="quiet" isSmall onClick={() => show(problem)}>
              Show
            </Button>
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
    <Button isSmall onClick={() => mend(problem, remedy)}>
      {remedy.kind === 'declare' ? `Add ${remedy.alias}` : `Write ${remedy.by}`}
    </Button>
  )
}
