import { Button } from '../controls/button.tsx'
import { now } from '../parts/now.ts'
import { ignored, pauseWords, trouble, troubleWords } from './trouble.ts'
import { nextTry, retryNow } from './live.ts'
import { usage } from './service.ts'

/** A thin bar while the service does not answer; what is on the screen stays. */
export function TroubleBar() {
  const found = trouble.value
  return (
    <div role="status" class="trouble-box">
      {found !== null && (
        <p class={`trouble ${found.kind}`}>
          {troubleWords(found, now.value, nextTry.value)}{' '}
          {found.kind !== 'rate' && found.kind !== 'paused' && (
            <Button isSmall onClick={retryNow}>
              Now
            </Button>
          )}
        </p>
      )}
      {found?.kind !== 'paused' &&
        (usage.value?.pauses ?? []).map((pause) => (
          <p class="trouble paused" key={pause.what}>
            {pauseWords(pause)}
          </p>
        ))}
      {ignored.value.length > 0 && (
        <p class="trouble rate">
          The service ignored {ignored.value.join(', ')}: it is of another release than this page.{' '}
          <Button isSmall onClick={() => location.reload()}>
            Reload
          </Button>
        </p>
      )}
    </div>
  )
}
