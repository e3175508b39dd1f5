import { useSignal } from '@preact/signals'
import { Button } from '../../controls/button.tsx'
import { Editor } from './editor.tsx'
import { chainRefusal, declaredAliases } from '../../draft/draft.ts'
import { problemsOf } from '../../draft/problems/failure.ts'
import { mended, placeOf } from '../../draft/problems/mend.ts'
import { marksOf } from '../../draft/problems/problems.ts'
import { ProblemList } from './problem-list.tsx'
import type { Draft } from '../../draft/draft.ts'
import type { Failure } from '../../draft/problems/failure.ts'
import type { Place } from '../../draft/problems/mend.ts'
import type { Problem, Remedy } from '../../draft/problems/problems.ts'

interface Props {
  readonly draft: Draft
  readonly problems: readonly Problem[]
  readonly failure: Failure | null
  readonly change: (draft: Draft) => void
}

/** The command, or the commands of a chain. */
export function CommandsPart({ draft, problems, failure, change }: Props) {
  const select = useSignal<Place | null>(null)
  const { commands } = draft
  const write = (index: number, text: string) =>
    change({ ...draft, commands: commands.map((one, at) => (at === index ? text : one)) })
  const refusal = chainRefusal(draft)
  const show = (problem: Problem) => (select.value = placeOf(problem) ?? select.value)
  const mend = (problem: Problem, remedy: Remedy) => {
    const after = mended(draft, problem, remedy)
    if (after === null) return
    change(after.draft)
    select.value = after.place ?? select.value
  }
  return (
    <section class="part column box" aria-label="Command">
      <h2>{commands.length > 1 ? '2 Commands, in their order' : '2 Command'}</h2>
      {commands.map((text, index) => {
        const checked = problems.filter(
          ({ field }) => field.kind === 'command' && field.index === index,
        )
        const own = [...problemsOf(failure, index, text), ...checked]
        return (
          <div key={index} class="step column dense start">
            <Editor
              text={text}
              label={commands.length > 1 ? `Command ${index + 1}` : 'Command'}
              marks={marksOf(own, index)}
              select={select.value?.index === index ? select.value : null}
              describedBy={`command-${index}-problems`}
              isWrong={checked.some(({ tone }) => tone === 'bad')}
              known={declaredAliases(draft)}
              change={(written) => write(index, written)}
            />
            <ProblemList id={`command-${index}-problems`} problems={own} show={show} mend={mend} />
            {commands.length > 1 && (
              <Button
                look="quiet"
                isSmall
                icon="failed"
                label={`Remove command ${index + 1}`}
                onClick={() =>
                  change({ ...draft, commands: commands.filter((_, at) => at !== index) })
                }
              >
                Remove
              </Button>
            )}
          </div>
        )
      })}
      <div class="actions">
        <Button
          look="quiet"
          icon="plus"
          title={refusal ?? undefined}
          isOff={commands.length >= 10 || refusal !== null}
          onClick={() => change({ ...draft, commands: [...commands, ''] })}
        >
          Add a command
        </Button>
      </div>
    </section>
  )
}
