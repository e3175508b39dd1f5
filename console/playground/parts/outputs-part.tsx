import { Check } from '../../controls/choices.tsx'
import { Button } from '../../controls/button.tsx'
import { freeAlias } from '../../draft/draft.ts'
import { withAlias } from '../../draft/problems/mend.ts'
import { ProblemList } from './problem-list.tsx'
import type { Draft, DraftOutput } from '../../draft/draft.ts'
import type { Problem } from '../../draft/problems/problems.ts'

interface Props {
  readonly draft: Draft
  readonly problems: readonly Problem[]
  readonly change: (draft: Draft) => void
}

/** Names of the files that the command makes, or all of them as a zip. */
export function OutputsPart({ draft, problems, change }: Props) {
  const { outputs } = draft
  const set = (index: number, changed: Partial<DraftOutput>) =>
    change({
      ...draft,
      outputs: (outputs ?? []).map((one, at) => (at === index ? { ...one, ...changed } : one)),
    })
  const aliases = (outputs ?? []).map(({ alias }) => alias)
  const add = () => change(withAlias(draft, freeAlias('out_', aliases)))
  return (
    <section class="part column box" aria-label="Outputs">
      <h2>3 Outputs</h2>
      {outputs === null ? (
        <p class="note">
          Every file that the command makes, as one zip. Write plain names, such as{' '}
          <code>frames/%04d.jpg</code>, in place of aliases.
        </p>
      ) : (
        outputs.map(({ alias, name }, index) => (
          <OutputRow
            key={index}
            output={{ alias, name }}
            problems={problems.filter(
              ({ field }) => field.kind === 'output' && field.alias === alias,
            )}
            set={(changed) => set(index, changed)}
            remove={() => change({ ...draft, outputs: outputs.filter((_, at) => at !== index) })}
          />
        ))
      )}
      {outputs?.length === 0 && (
        <p class="note">
          No file: the log is the result of commands that end with <code>-f null -</code>.
        </p>
      )}
      <div class="actions">
        {outputs !== null && (
          <Button look="quiet" icon="plus" onClick={add}>
            Add an output
          </Button>
        )}
        <Check
          isOn={outputs === null}
          isOff={draft.commands.length > 1}
          set={(isOn) =>
            change({
              ...draft,
              outputs: isOn ? null : [{ alias: 'out_1', name: 'out.mp4' }],
            })
          }
        >
          All files, as a zip
        </Check>
      </div>
    </section>
  )
}

interface RowProps {
  readonly output: DraftOutput
  readonly problems: readonly Problem[]
  readonly set: (changed: Partial<DraftOutput>) => void
  readonly remove: () => void
}

function OutputRow({ output: { alias, name }, problems, set, remove }: RowProps) {
  const id = `${alias}-problems`
  const isWrong = problems.length > 0
  return (
    <div class="file-row row">
      <input
        class="mono alias"
        aria-label={`Alias of ${alias}`}
        value={alias}
        onInput={({ currentTarget }) => set({ alias: currentTarget.value.trim() })}
      />
      <input
        class="grow"
        aria-label={`File name of ${alias}`}
        aria-invalid={isWrong}
        aria-describedby={id}
        placeholder="out.mp4"
        value={name}
        onInput={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <Button look="quiet" isSmall icon="failed" label={`Remove ${alias}`} onClick={remove} />
      <ProblemList id={id} problems={problems} />
    </div>
  )
}
