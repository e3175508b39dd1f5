import { logKey, resultKey } from '../../../common/domain/storage-keys.ts'
import { effect } from '../../apply/apply-context.ts'
import type { Retention } from '../../../common/domain/plans.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { ObjectRemoval } from '../../../common/storage/object-store.ts'
import type {
  ExpiredQuery,
  RetentionKind,
  RetentionStore,
} from '../../../common/store/retention/retention.ts'
import type { Term } from '../../machinery/election/leader.ts'
import type { RetentionMetrics } from './retention-metrics.ts'

export interface ExpireDeps {
  readonly store: RetentionStore
  readonly storage: Pick<ObjectRemoval, 'deleteObjects'>
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly metrics: Pick<RetentionMetrics, 'deleted'>
}

export interface Turn {
  /** Rows that were read or deleted. */
  readonly rows: number
  /** More rows of this kind are due. */
  readonly more: boolean
}

/** Rows of one transaction; a list bucket has as many. */
const pageRows = 1_000
const daySeconds = 86_400
/**
 * A walk begins again after so long, for rows that had to stay when it passed. A day less a few hours:
 * visits are a day apart, give or take their own length.
 */
const restartAfterSeconds: Readonly<Record<RetentionKind, number>> = {
  logs: 7 * daySeconds - 14_400,
  originals: 7 * daySeconds - 14_400,
  'file-originals': 7 * daySeconds - 14_400,
  records: daySeconds - 14_400,
}

/** The steps of a visit, each of which is repeated until it finds nothing more. */
export function visitSteps({
  recordsDays,
  originalsDays,
  logsDays,
}: Retention): ((deps: ExpireDeps, accountId: string) => Promise<Turn>)[] {
  const walk = (kind: RetentionKind, days: number | null) =>
    days === null
      ? []
      : [
          (deps: ExpireDeps, accountId: string) =>
            expirePage(deps, {
              accountId,
              kind,
              days,
              limit: pageRows,
              restartAfterSeconds: restartAfterSeconds[kind],
            }),
        ]
  return [
    ...walk('logs', logsDays),
    ...walk('originals', originalsDays),
    ...walk('file-originals', originalsDays),
    ...walk('records', recordsDays),
    (deps, accountId) => expireFileWork(deps, accountId, daySeconds),
    (deps, accountId) => expireFileRecords(deps, accountId, recordsDays),
    tidyAccount,
  ]
}

/** Objects first, rows second: after a crash in between the rows still name the objects. */
export async function expirePage(deps: ExpireDeps, expired: ExpiredQuery): Promise<Turn> {
  const { store, metrics } = deps
  const { accountId, kind } = expired
  const page = await store.findExpired(expired)
  if (kind !== 'file-originals') await deleteOwnObjects(deps, { accountId, kind }, page.ids)
  const removed = await effect(deps, 'retention.rows_removed', () =>
    store.removeExpired(expired, page),
  )
  metrics.deleted(kind, removed)
  return { rows: page.read, more: !page.isLast }
}

/** Work on stored files, whose rows no list shows. */
export async function expireFileWork(
  deps: ExpireDeps,
  accountId: string,
  olderThanSeconds: number,
): Promise<Turn> {
  const { store, metrics } = deps
  const ids = await store.findFileWork({ accountId, olderThanSeconds, limit: pageRows })
  if (ids.length === 0) return { rows: 0, more: false }
  await deleteOwnObjects(deps, { accountId, kind: 'records' }, ids)
  const removed = await effect(deps, 'retention.rows_removed', () =>
    store.removeFileWork(accountId, ids),
  )
  metrics.deleted('work', removed)
  return { rows: ids.length, more: removed > 0 && ids.length === pageRows }
}

async function expireFileRecords(
  { store, metrics, ...deps }: ExpireDeps,
  accountId: string,
  days: number | null,
): Promise<Turn> {
  const removed = await effect(deps, 'retention.rows_removed', () =>
    store.removeFileRecords({ accountId, days, limit: pageRows }),
  )
  metrics.deleted('files', removed)
  return { rows: removed, more: removed === pageRows }
}

async function tidyAccount({ store, ...deps }: ExpireDeps, accountId: string): Promise<Turn> {
  await effect(deps, 'retention.usage_removed', () => store.removeOldUsage(accountId))
  return { rows: 0, more: false }
}

/**
 * Objects under the account's private prefix that belong to the record of a command, one request for a
 * page. The key of a log does not depend on a row: the object of a log that was never recorded goes too.
 * A result object has a copy of the original request.
 */
async function deleteOwnObjects(
  deps: ExpireDeps,
  { accountId, kind }: Pick<ExpiredQuery, 'accountId' | 'kind'>,
  commandIds: readonly string[],
): Promise<void> {
  if (commandIds.length === 0) return
  const logs = commandIds.map((commandId) => logKey({ accountId, commandId }))
  const attempts = kind === 'logs' ? [] : await deps.store.findAttempts(commandIds)
  const results = attempts.map((each) => resultKey({ accountId, ...each }))
  const keys = [...(kind === 'originals' ? [] : logs), ...results]
  for (let from = 0; from < keys.length; from += keysPerRequest) {
    await effect(deps, 'retention.objects_deleted', () =>
      deps.storage.deleteObjects(keys.slice(from, from + keysPerRequest)),
    )
  }
}

const keysPerRequest = 1_000
