import { useSignal } from '@preact/signals'
import { Icon } from '../controls/icons.tsx'
import { say } from '../parts/notices.ts'
import { mostMetadata, withMetadata } from './filters.ts'
import type { Filters } from './filters.ts'

interface Props {
  readonly filters: Filters
  readonly change: (next: Partial<Filters>) => void
}

/** Chips of the values that the metadata must have, and a field for one more. */
export function MetadataFilter({ filters, change }: Props) {
  const text = useSignal('')
  const pairs = Object.entries(filters.metadata)
  const add = (event: Event) => {
    event.preventDefault()
    const next = withMetadata(filters, text.value)
    if (next === null) return say('Metadata is written as key=value, such as order=17.', true)
    text.value = ''
    change(next)
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
