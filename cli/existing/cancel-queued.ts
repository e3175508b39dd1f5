import { ApiError } from '../client/errors.ts'
import type { Client } from '../client/client.ts'
import type { Shell } from '../terminal/shell.ts'

/** Ids of one answer of the list. */
const page = 200

/**
 * Cancels the commands that are queued now, the newest first: no other then moves to the front and starts meanwhile.
 * Those that are submitted later stay.
 */
export async function cancelQueued(shell: Shell): Promise<number> {
  const client = shell.client()
  const { signal, progress } = shell
  let count = 0
  let before: string | null = null
  for (;;) {
    const query = {
      status: 'QUEUED',
      limit: page,
      ...(before === null ? {} : { before_id: before }),
    }
    const found = await client.listCommands(query, { signal })
    for (const { command_id: id } of found) {
      if (await cancelled(client, id, signal)) count += 1
      progress.show('cancelling', `${count} commands`)
    }
    before = found.at(-1)?.command_id ?? null
    if (before === null || found.length < page) break
  }
  progress.clear()
  shell.print(`cancelled ${count} ${count === 1 ? 'command' : 'commands'}`)
  return 0
}

/** @returns false where it has ended by itself */
async function cancelled(client: Client, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.cancelCommand(id, { signal })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return false
    throw error
  }
}
