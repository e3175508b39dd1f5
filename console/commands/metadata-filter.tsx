import { useSignal } from '@preact/signals'
import { Icon } from '../parts/icons.tsx'
import { say } from '../parts/notices.tsx'
import { mostMetadata } from './filters.ts'
import type { Filters } from './filters.ts'

interface Props {
  readonly filters: Filters
  readonly change: (next: Partial<Filters>) => void
}

/** Chips of the values that the metadata must have, and a field for one more. */
export function MetadataFilter({ filters: { metadata, since }, change }: Props) {
  const text = useSignal('')
  const pairs = Object.entries(metadata)
  const add = (event: Event) => {
    event.preventDefault()
    const [, key, value] = /^\s*([^=:]+?)\s*[=:]\s*(.*?)\s*$/.exec(text.value) ?? []
    if (key === undefined || value === undefined) {
      return say('Metadata is written as key=value, such as order=17.', true)
    }
    text.value = ''
    change({
      metadata: { ...metadata, [key]: value },
      // The service searches at most 31 days.
      since: since === 'any' ? 'month' : since,
    })
  }
  const remove = (key: string) => {
    change({ metadata: Object.fromEntries(pairs.filter(([name]) => name !== key)) })
  }
  return (
    <>
      {pairs.map(([key, value]) => (
        <button
          key={key}
          type="button"
          class="chip"
          aria-pressed="true"
          title={`Remove ${key}=${value}`}
          onClick={() => remove(key)}
        >
          {key}={value}
          <Icon name="failed" />
        </button>
      ))}
      {pairs.length < mostMetadata && (
        <form onSubmit={add}>
          <input
            class="metadata"
            type="text"
            placeholder="metadata: order=17"
            aria-label="Metadata as key=value"
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </form>
      )}
    </>
  )
}
