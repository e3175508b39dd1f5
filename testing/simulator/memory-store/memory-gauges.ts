import {
  hasResource,
  isCommand,
  isEnded,
  isWaiting,
  rowsOf,
  sumVcpus,
  usesVcpus,
} from './memory-rows.ts'
import type { Methods, Tables } from './memory-rows.ts'

/** Health and figures. */
export function memoryGauges(tables: Tables, now: () => number) {
  return {
    ping: () => undefined,
    gauges() {
      const live = rowsOf(tables).filter((row) => !isEnded(row))
      const oldest = (times: number[]) =>
        times.length === 0 ? 0 : (now() - Math.min(...times)) / 1_000
      const waiting = live.filter(isWaiting)
      const behind = rowsOf(tables)
        .filter(hasResource)
        .flatMap((row) => row.unmirroredSince ?? [])
      const undispatched = live.filter((row) => row.dispatchedAt === null)
      return {
        byStatus: Object.fromEntries(
          [...Map.groupBy(live.filter(isCommand), (row) => row.status)].map(([status, of]) => [
            status,
            of.length,
          ]),
        ),
        oldestQueuedSeconds: oldest(waiting.filter(isCommand).map((row) => row.createdAt)),
        queuedVcpus: sumVcpus(waiting),
        ledgerVcpus: sumVcpus(rowsOf(tables).filter(usesVcpus)),
        unmirroredSeconds: oldest(behind),
        undispatchedSeconds: oldest(undispatched.map((row) => row.createdAt)),
        dispatchErrorSeconds: oldest(undispatched.flatMap((row) => row.dispatchErrorSince ?? [])),
      }
    },
  } satisfies Partial<Methods>
}
