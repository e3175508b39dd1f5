import { systemClock } from '../../common/runtime/system-effects.ts'
import { newId } from '../store-contract/fixtures.ts'
import type { Database } from '../../common/database/connection/query.ts'

export interface Writers {
  /** @returns what happened until all writes have ended */
  stop(): Promise<{ writes: number; failed: unknown[]; longestMs: number }>
}

/** By the columns of the first online migration: the programs before each later one know them all. */
const submission = `
  insert into commands (
    command_id, account_id, command_type, source, original_request, vcpu_count, max_run_seconds,
    is_private, steps
  )
  values ($1, $2, 'FFMPEG_COMMAND', '{"commands":["-i {{in_1}} {{out_1}}"]}', '{}', 2, 300, false, '[]')`

/** Submissions and updates of a running service, at an even rate however long each takes. */
export function startWriters(
  database: Database,
  { accountId, perSecond }: { readonly accountId: string; readonly perSecond: number },
): Writers {
  const began = systemClock.monotonicMs()
  const open = new Set<Promise<void>>()
  const failed: unknown[] = []
  const submitted: string[] = []
  let writes = 0
  let longestMs = 0
  let cancel = systemClock.schedule(0, tick)

  function tick(): void {
    // A late timer makes up for what it missed.
    const due = ((systemClock.monotonicMs() - began) / 1_000) * perSecond
    for (; writes < due; writes += 1) measure(writes % 2 === 0 ? submit : update)
    cancel = systemClock.schedule(5, tick)
  }

  function measure(write: () => Promise<unknown>): void {
    const from = systemClock.monotonicMs()
    const ended = write()
      .catch((error: unknown) => failed.push(error))
      .then(() => {
        longestMs = Math.max(longestMs, systemClock.monotonicMs() - from)
        open.delete(ended)
      })
    open.add(ended)
  }

  async function submit(): Promise<void> {
    const commandId = newId()
    await database.query('test_submitted', submission, [commandId, accountId])
    submitted.push(commandId)
  }

  /** Changes a column that an index needs, so that index builds meet changing rows. */
  async function update(): Promise<void> {
    const id = submitted[Math.floor(submitted.length / 2)] ?? null
    await database.query(
      'test_dispatched',
      'update commands set dispatched_at = now(), dispatch_tries = 1 where command_id = $1',
      [id],
    )
  }

  return {
    async stop() {
      cancel()
      await Promise.all(open)
      return { writes, failed, longestMs }
    },
  }
}
