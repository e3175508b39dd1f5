import { useSignal } from '@preact/signals'
import { Button } from '../controls/button.tsx'
import { reasonOf } from '../parts/notices.ts'

interface Props {
  readonly problem: unknown
  readonly again: () => Promise<void>
}

/** Note in place of the page while the service does not say what the page needs to begin. */
export function NoStart({ problem, again }: Props) {
  const isBusy = useSignal(false)
  const ask = async () => {
    isBusy.value = true
    await again()
    isBusy.value = false
  }
  return (
    <main class="alone column middle">
      <section class="card frame column" role="alert">
        <h1>The console cannot start</h1>
        <p>
          The settings of the service come first, and the answer is not one that this page can read.
        </p>
        <p class="problem">{reasonOf(problem)}</p>
        <p>
          The service may be starting or away. If this stays, an administrator should look at the
          API server.
        </p>
        <div class="actions">
          <Button look="primary" isOff={isBusy.value} onClick={ask}>
            {isBusy.value ? 'Asking the service' : 'Try again'}
          </Button>
        </div>
      </section>
    </main>
  )
}
