import { newId } from '../store-contract/fixtures.ts'
import type { Database } from '../../common/database/connection/query.ts'

export interface Writers {
  /** @returns what happened until all writes have ended */
  stop(): Promise<{ writes: number; failed: unknown[] }>
}

/** Columns of the first online migration: the programs before each later one know them all. */
const submission = `
  insert into commands (
    command_id, account_id, command_type, source, original_request, vcpu_count, max_run_seconds,
    is_private, steps
  )
  values ($1, $2, 'FFMPEG_COMMAND', '{"commands":["-i {{in_1}} {{out_1}}"]}', '{}', 2, 300, false, '[]')`

/** Submissions and updates of a running service, each writer one after the other. */
export function startWriters(
  database: Database,
  { accountId, count }: { readonly accountId: string; readonly count: number },
): Writers {
  const failed: unknown[] = []
  const submitted: string[] = []
  let writes = 0
  let isStopping = false
  const writing = Promise.all(
    Array.from({ length: count }, async () => {
      while (!isStopping) {
        await (writes % 2 === 0 ? submit() : update()).catch((error: unknown) => failed.push(error))
        writes += 1
      }
    }),
  )

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
      isStopping = true
      await writing
      return { writes, failed }
    },
  }
}
