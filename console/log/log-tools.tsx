import { Check } from '../controls/choices.tsx'
import { Button } from '../controls/button.tsx'
import { reasonOf } from '../parts/notices.ts'
import type { Signal } from '@preact/signals'
import type { Log } from './log-store.ts'

interface Props {
  readonly search: Signal<string>
  /** Index of the shown hit, from 0. */
  readonly place: Signal<number>
  readonly hits: number
  readonly isWrapped: Signal<boolean>
  readonly save: () => void
}

/** Search, wrap switch and download. */
export function LogTools({ search, place, hits, isWrapped, save }: Props) {
  const step = (by: number) => {
    if (hits > 0) place.value = (Math.min(place.value, hits - 1) + by + hits) % hits
  }
  return (
    <div class="log-tools row">
      <input
        type="search"
        placeholder="Search the log"
        aria-label="Search the log"
        value={search.value}
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value
          place.value = 0
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
        }}
      />
      {search.value !== '' && (
        <>
          <span class="muted number" aria-live="polite">
            {hits === 0 ? 'none' : `${Math.min(place.value, hits - 1) + 1} of ${hits}`}
          </span>
          <Button isSmall isOff={hits === 0} onClick={() => step(1)}>
            Next
          </Button>
        </>
      )}
      <Check isOn={isWrapped.value} set={(isOn) => (isWrapped.value = isOn)}>
        Wrap
      </Check>
      <span class="space" />
      <Button look="quiet" icon="download" onClick={save}>
        Download
      </Button>
    </div>
  )
}

export function Instead({ log }: { readonly log: Log }) {
  if (log.state.value === 'failed') return <p class="problem">{reasonOf(log.problem.value)}</p>
  if (log.lines.value.length > 0) return null
  return (
    <p class="muted">
      {log.state.value === 'ended'
        ? 'FFmpeg wrote no message.'
        : 'FFmpeg has not written a message yet.'}
    </p>
  )
}
