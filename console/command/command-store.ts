import { signal } from '@preact/signals'
import { ApiError } from '../../cli/client/errors.ts'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { hasEnded } from '../parts/state.ts'
import { noteRecords } from '../shell/follow-progress.ts'
import { onConnect, onEvents } from '../shell/live.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AccountEvent, CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

/** Seconds that URLs of private outputs are valid; they are renewed at 80 % of it. */
const urlSeconds = 900

/** One command: its record by a request, then by events, and its record again at its end. */
export function createCommand(client: Client, id: string, clock: Clock = browserEffects.clock) {
  const record = signal<CommandStatusRecord | null>(null)
  const problem = signal<unknown>(null)
  const stop = new AbortController()
  const stopEvents = onEvents((events) => {
    for (const event of events) if (event.command_id === id) take(event)
  })
  const stopConnections = onConnect(() => {
    if (record.value === null ? !isUnknown(problem.value) : !hasEnded(record.value)) void read()
  })
  let cancelRenewal = () => undefined as void
  void read()
  return {
    record,
    problem,
    read,
    close() {
      stop.abort()
      cancelRenewal()
      stopEvents()
      stopConnections()
    },
  }

  async function read(): Promise<void> {
    try {
      const options = { signal: stop.signal }
      const found = await client.getCommand(id, { presigned_ttl_seconds: urlSeconds }, options)
      noteRecords([found])
      record.value = found
      problem.value = null
      cancelRenewal()
      if (isSigned(found)) {
        cancelRenewal = clock.schedule(urlSeconds * 800, () => void read())
      }
    } catch (error) {
      if (!stop.signal.aborted) problem.value = error
    }
  }

  function take(event: AccountEvent): void {
    const shown = record.value
    if (shown === null || hasEnded(shown)) return
    // The outputs, and what was charged, are in the record alone.
    if (event.finished_at !== null) return void read()
    const { timestamp: _, finished_at: __, ...changed } = event
    record.value = { ...shown, ...changed }
  }
}

function isSigned({ output_files: outputs }: CommandStatusRecord): boolean {
  return Object.values(outputs ?? {}).some((file) => file.is_private && !file.is_deleted)
}

/** The account has no command with this id. */
export function isUnknown(problem: unknown): boolean {
  return problem instanceof ApiError && (problem.status === 404 || problem.status === 422)
}
