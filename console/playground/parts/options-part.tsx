import { Check, Select } from '../../controls/choices.tsx'
import { Button } from '../../controls/button.tsx'
import { usage } from '../../shell/service.ts'
import { lifetimesWith, optionWords } from './option-words.ts'
import { ProblemList } from './problem-list.tsx'
import type { Draft, DraftOptions } from '../../draft/draft.ts'
import type { Problem } from '../../draft/problems/problems.ts'

interface Props {
  readonly draft: Draft
  readonly problems: readonly Problem[]
  readonly change: (draft: Draft) => void
}

/** Options that are typed, by their names in the API. */
const names = {
  vcpus: 'vcpu_count',
  seconds: 'max_command_run_seconds',
  presignedTtl: 'presigned_ttl_seconds',
  webhookUrl: 'webhook_url',
} as const satisfies Partial<Record<keyof DraftOptions, string>>
const typed = new Set<string>(Object.values(names))

export function OptionsPart({ draft, problems, change }: Props) {
  const { options } = draft
  const set = (changed: Partial<DraftOptions>) =>
    change({ ...draft, options: { ...options, ...changed } })
  const own = problems.filter(({ field }) => field.kind === 'option')
  const shared = { options, set, problems: own }
  const { plan, features, vcpu } = usage.value ?? {}
  return (
    <details class="part options column box" open={own.length > 0}>
      <summary>
        <h2>Options</h2>
        <span class="muted">{optionWords(options)}</span>
      </summary>
      <div class="option-grid">
        <TextOption
          {...shared}
          option="vcpus"
          label="vCPUs"
          usual={String(Math.min(8, vcpu?.per_command ?? 8))}
        />
        <TextOption {...shared} option="seconds" label="Limit of FFmpeg's time in s" usual="300" />
        <label class="field column">
          <span>Outputs are kept</span>
          <select
            value={options.ttl}
            onChange={({ currentTarget }) => set({ ttl: currentTarget.value })}
          >
            {lifetimesWith(options.ttl).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label class="field column">
          <span>Priority in the queue</span>
          <Select
            label={null}
            names={{ low: 'low', normal: 'normal', high: 'high' }}
            value={options.priority}
            choose={(priority) => set({ priority })}
          />
        </label>
        <TextOption
          {...shared}
          option="webhookUrl"
          label="Webhook URL"
          usual={
            features?.webhooks === false ? `Plan ${plan} has no webhooks` : 'that of the account'
          }
          isOff={features?.webhooks === false}
        />
        <Check
          isOn={options.isPrivate}
          isOff={features?.private === false}
          set={(isPrivate) => set({ isPrivate })}
        >
          {features?.private === false
            ? `Private: plan ${plan} has no private files`
            : 'Private: only presigned URLs open the files'}
        </Check>
        {(options.isPrivate || options.presignedTtl !== '') && (
          <TextOption
            {...shared}
            option="presignedTtl"
            label="Presigned URLs open them for s"
            usual="the record has plain URLs"
          />
        )}
      </div>
      <Metadata pairs={options.metadata} set={(metadata) => set({ metadata })} />
      <ProblemList
        id="option-problems"
        problems={own.filter(({ field }) => field.kind === 'option' && !typed.has(field.name))}
      />
    </details>
  )
}

interface TextOptionProps {
  readonly options: DraftOptions
  readonly option: keyof typeof names
  readonly label: string
  /** Default that holds while the field is empty. */
  readonly usual: string
  readonly isOff?: boolean
  /** Problems of all options. */
  readonly problems: readonly Problem[]
  readonly set: (changed: Partial<DraftOptions>) => void
}

function TextOption({ options, option, label, usual, isOff, problems, set }: TextOptionProps) {
  const name = names[option]
  const own = problems.filter(({ field }) => field.kind === 'option' && field.name === name)
  return (
    <div class="field column">
      <label for={name}>{label}</label>
      <input
        id={name}
        value={options[option]}
        placeholder={usual}
        disabled={isOff}
        aria-invalid={own.some(({ tone }) => tone === 'bad')}
        aria-describedby={`${name}-problems`}
        onInput={({ currentTarget }) => set({ [option]: currentTarget.value })}
      />
      <ProblemList id={`${name}-problems`} problems={own} />
    </div>
  )
}

type Pairs = DraftOptions['metadata']

function Metadata({ pairs, set }: { readonly pairs: Pairs; readonly set: (pairs: Pairs) => void }) {
  const change = (index: number, pair: Pairs[number]) =>
    set(pairs.map((one, at) => (at === index ? pair : one)))
  return (
    <fieldset class="metadata column dense start">
      <legend>Metadata</legend>
      {pairs.map(([key, value], index) => (
        <div key={index} class="file-row row">
          <input
            aria-label={`Key ${index + 1}`}
            placeholder="key"
            value={key}
            onInput={({ currentTarget }) => change(index, [currentTarget.value, value])}
          />
          <input
            class="grow"
            aria-label={`Value ${index + 1}`}
            placeholder="value"
            value={String(value)}
            onInput={({ currentTarget }) => change(index, [key, currentTarget.value])}
          />
          <Button
            look="quiet"
            isSmall
            icon="failed"
            label={`Remove pair ${index + 1}`}
            onClick={() => set(pairs.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        look="quiet"
        icon="plus"
        isOff={pairs.length >= 10}
        onClick={() => set([...pairs, ['', '']])}
      >
        Add a pair
      </Button>
    </fieldset>
  )
}
