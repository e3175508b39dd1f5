import { clockTime } from '../parts/clock-time.ts'
import { now } from '../parts/now.ts'
import { ignored, trouble } from './contact.ts'
import { nextTry, retryNow } from './live.ts'

/** A thin bar while the service does not answer; what is on the screen stays. */
export function TroubleBar() {
  const found = trouble.value
  return (
    <div role="status" class="trouble-box">
      {found !== null && (
        <p class={`trouble ${found.kind}`}>
          {words(found)}{' '}
          {found.kind !== 'rate' && (
            <button type="button" class="button small" onClick={retryNow}>
              Now
            </button>
          )}
        </p>
      )}
      {ignored.value.length > 0 && (
        <p class="trouble rate">
          The service ignored {ignored.value.join(', ')}: it is of another release than this page.{' '}
          <button type="button" class="button small" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      )}
    </div>
  )
}

function words(found: NonNullable<typeof trouble.value>): string {
  switch (found.kind) {
    case 'no-answer':
      return `No answer from the service since ${clockTime(found.since)}. What you see is from then. ${again()}`
    case 'unavailable':
      return `The database is away since ${clockTime(found.since)}; running commands go on. ${again()}`
    case 'rate': {
      const seconds = Math.ceil((found.until.getTime() - now.value) / 1_000)
      return `The plan's rate of requests is used up. Going on in ${Math.max(1, seconds)} s.`
    }
  }
}

function again(): string {
  const at = nextTry.value?.getTime() ?? null
  if (at === null) return 'Trying again.'
  return `Trying again in ${Math.max(1, Math.ceil((at - now.value) / 1_000))} s.`
}
