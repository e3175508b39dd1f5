import { useSignal } from '@preact/signals'
import { Check } from '../../controls/choices.tsx'
import { Button } from '../../controls/button.tsx'
import { megabytes } from '../../parts/relative-time.ts'
import { DropZone } from '../../uploads/drop-zone.tsx'
import { UploadRow } from '../../uploads/upload-row.tsx'
import { freeAlias } from '../../draft/draft.ts'
import { withAlias } from '../../draft/problems/mend.ts'
import { ProblemList } from './problem-list.tsx'
import { StoredFiles } from './stored-files.tsx'
import type { Client } from '../../../cli/client/client-with-effects.ts'
import type { Upload } from '../../uploads/upload.ts'
import type { Draft, DraftInput } from '../../draft/draft.ts'
import type { Problem } from '../../draft/problems/problems.ts'

interface Props {
  readonly client: Client
  readonly draft: Draft
  readonly problems: readonly Problem[]
  readonly uploads: readonly Upload[]
  /** Why files cannot be uploaded; null where they can. */
  readonly refusal: string | null
  readonly change: (draft: Draft) => void
  readonly take: (files: readonly File[]) => void
  readonly useSample: () => Promise<void>
}

/** The files that the command reads: URLs, stored files, and files of this computer. */
export function InputsPart(props: Props) {
  const { client, draft, problems, uploads, refusal, change, take } = props
  const choosing = useSignal<string | null>(null)
  const { inputs, zip } = draft
  const set = (index: number, changed: Partial<DraftInput>) =>
    change({
      ...draft,
      inputs: inputs.map((one, at) => (at === index ? { ...one, ...changed } : one)),
    })
  const aliases = inputs.map(({ alias }) => alias)
  const strays = uploads.filter(
    ({ id, state }) =>
      state.value.kind !== 'done' && !inputs.some(({ file }) => file?.upload === id),
  )
  return (
    <section class="part column box" aria-label="Inputs">
      <h2>1 Inputs</h2>
      {zip === null ? (
        inputs.map((input, index) => (
          <InputRow
            key={index}
            input={input}
            upload={uploads.find(({ id }) => id === input.file?.upload)}
            problems={problems.filter(
              ({ field }) => field.kind === 'input' && field.alias === input.alias,
            )}
            set={(changed) => set(index, changed)}
            choose={() => (choosing.value = input.alias)}
            remove={() => change({ ...draft, inputs: inputs.filter((_, at) => at !== index) })}
          />
        ))
      ) : (
        <ZipRow zip={zip} problems={problems} set={(text) => change({ ...draft, zip: text })} />
      )}
      {strays.map((upload) => (
        <UploadRow key={upload.id} upload={upload} gone={() => undefined} />
      ))}
      <div class="actions">
        <DropZone refusal={refusal} take={take} />
        {zip === null && (
          <Button
            look="quiet"
            icon="plus"
            onClick={() => change(withAlias(draft, freeAlias('in_', aliases)))}
          >
            Add an input
          </Button>
        )}
        <Button onClick={props.useSample}>Use the sample clip</Button>
        <Check
          isOn={zip !== null}
          isOff={draft.commands.length > 1}
          set={(isOn) => change({ ...draft, zip: isOn ? '' : null })}
        >
          A zip archive
        </Check>
      </div>
      {choosing.value !== null && (
        <StoredFiles
          client={client}
          close={() => (choosing.value = null)}
          choose={(file) => {
            set(aliases.indexOf(choosing.peek() ?? ''), file)
            choosing.value = null
          }}
        />
      )}
    </section>
  )
}

interface RowProps {
  readonly input: DraftInput
  readonly upload: Upload | undefined
  readonly problems: readonly Problem[]
  readonly set: (changed: Partial<DraftInput>) => void
  readonly choose: () => void
  readonly remove: () => void
}

function InputRow({ input, upload, problems, set, choose, remove }: RowProps) {
  const { alias, url, file, hint } = input
  const id = `${alias}-problems`
  const clear = () => set({ url: '', file: null })
  return (
    <div class="file-row row">
      <input
        class="mono alias"
        aria-label={`Alias of ${alias}`}
        value={alias}
        onInput={({ currentTarget }) => set({ alias: currentTarget.value.trim() })}
      />
      {upload !== undefined ? (
        <div class="grow">
          <UploadRow upload={upload} gone={clear} />
        </div>
      ) : file !== null && url !== '' ? (
        <span class="grow chosen">
          <span class="clip" title={url}>
            {file.name}
          </span>
          <span class="muted number">{file.mbytes === null ? '' : megabytes(file.mbytes)}</span>
          <Button
            look="quiet"
            isSmall
            icon="failed"
            label={`Take ${file.name} out of ${alias}`}
            title={`Take ${file.name} out`}
            onClick={clear}
          />
        </span>
      ) : (
        <>
          <input
            class="grow"
            type={'url' as 'text'}
            aria-label={`URL of ${alias}`}
            aria-invalid={problems.some(({ tone }) => tone === 'bad')}
            aria-describedby={id}
            placeholder={
              file !== null
                ? `Drop ${file.name} again`
                : hint === null
                  ? 'https://… or drop a file'
                  : `https://…, or drop a file such as ${hint}`
            }
            value={url}
            onInput={({ currentTarget }) => set({ url: currentTarget.value, file: null })}
          />
          <Button label={`Stored file for ${alias}`} onClick={choose}>
            Stored file
          </Button>
        </>
      )}
      {upload === undefined && (
        <Button look="quiet" isSmall icon="failed" label={`Remove ${alias}`} onClick={remove} />
      )}
      <ProblemList id={id} problems={problems} />
    </div>
  )
}

interface ZipProps {
  readonly zip: string
  readonly problems: readonly Problem[]
  readonly set: (text: string) => void
}

function ZipRow({ zip, problems, set }: ZipProps) {
  const own = problems.filter(({ field }) => field.kind === 'zip')
  return (
    <div class="file-row row">
      <input
        class="grow"
        type={'url' as 'text'}
        aria-label="URL of the zip archive"
        aria-invalid={own.length > 0}
        aria-describedby="zip-problems"
        placeholder="https://…/parts.zip; its files are written by their names in it"
        value={zip}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <ProblemList id="zip-problems" problems={own} />
    </div>
  )
}
