import type { Methods, Tables } from './memory-rows.ts'

/** FFmpeg's messages; nothing here writes so much that its middle would be cut. */
export function memoryLogs(tables: Tables, now: () => number) {
  const rowsOf = (prefix: string) => [...tables.logs].filter(([key]) => key.startsWith(prefix))
  const chunksOf = (commandId: string, attempt: string) =>
    rowsOf(`${commandId}/${attempt}/`)
      .map(([, chunk]) => ({ ...chunk, cutBytes: 0 }))
      .toSorted((a, b) => a.step - b.step || a.sequence - b.sequence)

  return {
    readLogs(commandId, after) {
      const attempt = [...tables.attempts.values()]
        .filter((row) => row.commandId === commandId)
        .map((row) => row.attempt)
        .findLast((each) => chunksOf(commandId, each).length > 0)
      if (attempt === undefined) return { attempt: null, chunks: [] }
      const from = after?.attempt === attempt ? after.sequence : -1
      const chunks = chunksOf(commandId, attempt).filter(({ sequence }) => sequence > from)
      return { attempt: chunks.length > 0 ? attempt : null, chunks }
    },
    findLogsToStore({ olderThanSeconds, except, limit }) {
      const ids = new Set([...tables.logs.keys()].map((key) => key.split('/')[0] ?? ''))
      return [...ids]
        .filter((id) => !except.includes(id))
        .flatMap((id) => tables.commands.get(id) ?? [])
        .filter(
          ({ finishedAt }) => finishedAt !== null && finishedAt <= now() - olderThanSeconds * 1_000,
        )
        .map(({ finishedAt, submission: { commandId, accountId } }) => ({
          finishedAt,
          found: { commandId, accountId },
        }))
        .toSorted(
          (a, b) =>
            (a.finishedAt ?? 0) - (b.finishedAt ?? 0) ||
            (a.found.commandId < b.found.commandId ? -1 : 1),
        )
        .slice(0, limit)
        .map(({ found }) => found)
    },
    recordLogObject(commandId, _object) {
      for (const [key] of rowsOf(`${commandId}/`)) tables.logs.delete(key)
    },
  } satisfies Partial<Methods>
}
