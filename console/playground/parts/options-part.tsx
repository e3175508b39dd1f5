import { Select } from '../../controls/select.tsx'
import { Check } from '../../controls/check.tsx'
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

export function OptionsPart({ draft, problems, change }: Props) {
  const { options } = draft
  const set = (changed: Partial<DraftOptions>) =>
    change({ ...draft, options: { ...options, ...changed } })
  const own = problems.filter(({ field }) => field.kind === 'option')
  const of = (name: string) =>
    own.filter(({ field }) => field.kind === 'option' && field.name === name)
  const perCommand = usage.value?.vcpu.per_command ?? null
  const plan = usage.value?.plan ?? ''
  const features = usage.value?.features
  return (
    <details class="part options" open={own.length > 0}>
      <summary>
        <h2>Options</h2>
        <span class="muted">{optionWords(options)}</span>
      </summary>
      <div class="option-grid">
        <TextOption
          label="vCPUs"
          name="vcpu_count"
          value={options.vcpus}
          usual={String(Math.min(8, perCommand ?? 8))}
          problems={of('vcpu_count')}
          set={(vcpus) => set({ vcpus })}
        />
        <TextOption
          label="Limit of FFmpeg's time in s"
          name="max_command_run_seconds"
          value={options.seconds}
          usual="300"
          problems={of('max_command_run_seconds')}
          set={(seconds) => set({ seconds })}
        />
        <label class="field">
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
        <label class="field">
          <span>Priority in the queue</span>
          <Select
            label={null}
            names={{ low: 'low', normal: 'normal', high: 'high' }}
            value={options.priority}
            choose={(priority) => set({ priority })}
          />
        </label>
        <TextOption
          label="Webhook URL"
          name="webhook_url"
          value={options.webhookUrl}
          usual={
            features?.webhooks === false ? `Plan ${plan} has no webhooks` : 'that of the account'
          }
          isOff={features?.webhooks === false}
          problems={of('webhook_url')}
          set={(webhookUrl) => set({ webhookUrl })}
        />
        <Check
          isOn={options.isPrivate}
          isOff={features?.private === false}
          set={(isOn) => set({ isPrivate: isOn })}
        >
          {features?.private === false
            ? `Private: plan ${plan} has no private files`
            : 'Private: only presigned URLs open the files'}
        </Check>
        {(options.isPrivate || options.presignedTtl !== '') && (
          <TextOption
            label="Presigned URLs open them for s"
            name="presigned_ttl_seconds"
            value={options.presignedTtl}
            usual="the record has plain URLs"
            problems={of('presigned_ttl_seconds')}
            set={(presignedTtl) => set({ presignedTtl })}
          />
        )}
      </div>
      <Metadata pairs={options.metadata} set={(metadata) => set({ metadata })} />
      <ProblemList
        id="option-problems"
        problems={own.filter(({ field }) => field.kind === 'option' && !shown.has(field.name))}
      />
    </details>
  )
}

const shown = new Set([
  'vcpu_count',
  'max_command_run_seconds',
  'presigned_ttl_seconds',
  'webhook_url',
])

interface TextOptionProps {
  readonly label: string
  readonly name: string
  readonly value: string
  /** Default that holds while the field is empty. */
  readonly usual: string
  readonly isOff?: boolean
  readonly problems: readonly Problem[]
  readonly set: (value: string) => void
}

function TextOption({ label, name, value, usual, isOff = false, problems, set }: TextOptionProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        value={value}
        placeholder={usual}
        disabled={isOff}
        aria-invalid={problems.some(({ tone }) => tone === 'bad')}
        aria-describedby={`${name}-problems`}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <ProblemList id={`${name}-problems`} problems={problems} />
    </div>
  )
}

type Pairs = DraftOptions['metadata']

function Metadata({ pairs, set }: { readonly pairs: Pairs; readonly set: (pairs: Pairs) => void }) {
  const change = (index: number, pair: Pairs[number]) =>
    set(pairs.map((one, at) => (at === index ? pair : one)))
  return (
    <fieldset class="metadata">
      <legend>Metadata</legend>
      {pairs.map(([key, value], index) => (
        <div key={index} class="file-row">
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
