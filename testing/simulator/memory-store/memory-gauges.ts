import {
  hasResource,
  isCommand,
  isEnded,
  isWaiting,
  rowsOf,
  sumVcpus,
  hasJob,
  waitsToStart,
} from './memory-rows.ts'
import { queueReasons } from '../../../common/domain/states.ts'
import type { QueueReason } from '../../../common/domain/states.ts'
import type { CommandRow, Methods, Tables } from './memory-rows.ts'

/** Health and figures. */
export function memoryGauges(tables: Tables, now: () => number) {
  return {
    ping: () => undefined,
    findHolding: () =>
      rowsOf(tables)
        .filter(hasJob)
        .map(({ submission }) => submission.commandId),
    gauges() {
      const live = rowsOf(tables).filter((row) => !isEnded(row))
      const oldest = (times: number[]) =>
        times.length === 0 ? 0 : (now() - Math.min(...times)) / 1_000
      const waiting = live.filter((row) => isCommand(row) && (isWaiting(row) || waitsToStart(row)))
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
        waiting: Object.fromEntries(
          [...Map.groupBy(waiting, (row) => reasonOf(tables, row))].map(([reason, rows]) => [
            reason,
            {
              commands: rows.length,
              vcpus: sumVcpus(rows),
              oldestSeconds: oldest(rows.map((row) => row.createdAt)),
            },
          ]),
        ),
        ledgerVcpus: sumVcpus(rowsOf(tables).filter(hasJob)),
        unmirroredSeconds: oldest(behind),
        undispatchedSeconds: oldest(undispatched.map((row) => row.createdAt)),
        dispatchErrorSeconds: oldest(undispatched.flatMap((row) => row.dispatchErrorSince ?? [])),
      }
    },
  } satisfies Partial<Methods>
}

function reasonOf(tables: Tables, row: CommandRow): QueueReason | 'NONE' {
  if (waitsToStart(row) && row.startWait !== null) return row.startWait
  const share = tables.shares.get(row.submission.accountId)
  const known = queueReasons.find((reason) => reason === share?.reason)
  return known ?? (row.dispatchedAt === null ? 'DISPATCH' : 'NONE')
}
