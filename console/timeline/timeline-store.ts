import { effect, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { CommandStatusRecord, CommandTimeline } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

type Shown = ReadonlySignal<CommandStatusRecord | null>

/** The timeline of a command, read again whenever its record shows another stage, step or attempt. */
export function createTimeline(client: Client, id: string, record: Shown) {
  const timeline = signal<CommandTimeline | null>(null)
  const stop = new AbortController()
  let read = ''
  const dispose = effect(() => {
    const shown = record.value
    if (shown === null) return
    const { status, processing_stage, attempts, queue_reason, steps } = shown
    const running = steps.map((step) => step.status).join()
    const now = [status, processing_stage, attempts, queue_reason, running].join()
    if (now === read) return
    read = now
    void fetchTimeline()
  })
  return {
    timeline,
    close() {
      dispose()
      stop.abort()
    },
  }

  async function fetchTimeline(): Promise<void> {
    try {
      timeline.value = await client.getCommandTimeline(id, { signal: stop.signal })
    } catch {
      // The record still shows waiting and work; the next change reads it again.
      read = ''
    }
  }
}
