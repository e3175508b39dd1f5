import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../api/rows.ts'
import { tinyCommand } from '../cluster/measure-command.ts'
import { atRest } from './at-rest.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'

/** Commands that have not ended at a time. */
const width = 6
const lookEveryMs = 150

/**
 * Runs so many tiny commands, some at a time, and waits until nothing of them is left in the cluster. It sees their ends
 * in the database: polls and event streams would be work of the API server that is not the commands'.
 * @throws if a command does not succeed
 */
export async function steadyLoad(environment: BenchEnvironment, commands: number): Promise<void> {
  const { client, postgres, instance } = environment
  const database = await connect(postgres.url(`cloud_ffmpeg_${instance}`, '127.0.0.1'))
  try {
    let submitted = 0
    let open: readonly string[] = []
    while (submitted < commands || open.length > 0) {
      while (open.length < width && submitted < commands) {
        const { command_id } = await client.submit(tinyCommand)
        open = [...open, command_id]
        submitted += 1
      }
      await delay(lookEveryMs)
      const { rows } = await database.query<{ id: string; status: string }>(
        `select command_id as id, status from commands
         where command_id = any($1::uuid[]) and finished_at is not null`,
        [open],
      )
      const failed = rows.find(({ status }) => status !== 'SUCCESS')
      if (failed !== undefined) throw new Error(`command ${failed.id}: ${failed.status}`)
      const ended = new Set(rows.map(({ id }) => id))
      open = open.filter((id) => !ended.has(id))
    }
  } finally {
    await database.end()
  }
  await atRest(environment)
}
