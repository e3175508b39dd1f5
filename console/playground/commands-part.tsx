import { useSignal } from '@preact/signals'
import { Icon } from '../parts/icons.tsx'
import { markIn } from '../command/error-mark.ts'
import { Editor } from './editor.tsx'
import { offsetsOf } from '../draft/marks.ts'
import { marksOf } from '../draft/problems.ts'
import { ProblemList } from './problem-list.tsx'
import type { Draft } from '../draft/draft.ts'
import type { Failure } from '../draft/draft-store.ts'
import type { Range } from '../draft/marks.ts'
import type { Problem, Remedy } from '../draft/problems.ts'

interface Props {
  readonly draft: Draft
  readonly problems: readonly Problem[]
  readonly failure: Failure | null
  readonly change: (draft: Draft) => void
  readonly run: () => void
}

/** The command, or the commands of a chain. */
export function CommandsPart({ draft, problems, failure, change, run }: Props) {
  const select = useSignal<(Range & { readonly index: number }) | null>(null)
  const { commands } = draft
  const write = (index: number, text: string) =>
    change({ ...draft, commands: commands.map((one, at) => (at === index ? text : one)) })
  const show = ({ field, at }: Problem) => {
    if (field.kind === 'command' && at !== null) select.value = { ...at, index: field.index }
  }
  const mend = (problem: Problem, remedy: Remedy) => {
    const { field, at } = problem
    if (remedy.kind === 'declare') return change(withAlias(draft, remedy.alias))
    if (field.kind !== 'command' || at === null) return undefined
    const text = commands[field.index] ?? ''
    write(field.index, `${text.slice(0, at.from)}${remedy.by}${text.slice(at.to)}`)
    select.value = { from: at.from, to: at.from + remedy.by.length, index: field.index }
  }
  return (
    <section class="part" aria-label="Command">
      <h2>{commands.length > 1 ? '2 Commands, in their order' : '2 Command'}</h2>
      {commands.map((text, index) => {
        const checked = problems.filter(
          ({ field }) => field.kind === 'command' && field.index === index,
        )
        const own = [...causeOf(failure, index, text), ...checked]
        return (
          <div key={index} class="step">
            <Editor
              text={text}
              label={commands.length > 1 ? `Command ${index + 1}` : 'Command'}
              marks={marksOf(own, index)}
              select={select.value?.index === index ? select.value : null}
              describedBy={`command-${index}-problems`}
              isWrong={checked.some(({ tone }) => tone === 'bad')}
              change={(written) => write(index, written)}
              run={run}
            />
            <ProblemList id={`command-${index}-problems`} problems={own} show={show} mend={mend} />
            {commands.length > 1 && (
              <button
                type="button"
                class="button quiet small"
                aria-label={`Remove command ${index + 1}`}
                onClick={() =>
                  change({ ...draft, commands: commands.filter((_, at) => at !== index) })
                }
              >
                <Icon name="failed" />
                Remove
              </button>
            )}
          </div>
        )
      })}
      <div class="actions">
        <button
          type="button"
          class="button quiet"
          disabled={commands.length >= 10 || draft.outputs === null}
          title={draft.outputs === null ? 'A zip of all files has one command' : undefined}
          onClick={() => change({ ...draft, commands: [...commands, ''] })}
        >
          <Icon name="plus" />
          Add a command
        </button>
      </div>
    </section>
  )
}

/** FFmpeg's error at its place, as long as the text is the one that failed. */
function causeOf(failure: Failure | null, index: number, text: string): Problem[] {
  if (failure === null || failure.index !== index || failure.text !== text) return []
  const mark = markIn(text, failure.message)
  return [
    {
      ...{ tone: 'bad', field: { kind: 'command', index }, remedy: null },
      text: failure.message.split('\n', 1)[0] ?? '',
      at: mark === null ? null : offsetsOf(text, mark),
    },
  ]
}

function withAlias(draft: Draft, alias: string): Draft {
  if (alias.startsWith('in_')) {
    const inputs = [...draft.inputs, { alias, url: '', file: null, hint: null }]
    return { ...draft, zip: null, inputs }
  }
  const outputs = draft.outputs ?? []
  const name = alias.startsWith('out_playlist_') ? `${alias}.m3u8` : `${alias}.mp4`
  return { ...draft, outputs: [...outputs, { alias, name }] }
}
