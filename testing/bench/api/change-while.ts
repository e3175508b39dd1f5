import type { Client } from 'pg'

const everyMs = 160
const changedEachTime = 64

/** Makes progress on 400 of the commands a second until `work` is done. */
export async function changeWhile<T>(
  client: Client,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const done = new AbortController()
  const changing = change(client, ids, done.signal)
  try {
    return await work()
  } finally {
    done.abort()
    await changing
  }
}

async function change(client: Client, ids: readonly string[], done: AbortSignal): Promise<void> {
  for (let from = 0; !done.aborted; from = (from + changedEachTime) % ids.length) {
    await client.query(
      `update commands set version = version + 1,
         progress_percent = (progress_percent + 1)::integer % 50
       where command_id = any($1::uuid[])`,
      [ids.slice(from, from + changedEachTime)],
    )
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
