import { copyOf, emptyTables } from './memory-rows.ts'
import { defaultPriorityAgeSeconds } from '../../../common/domain/priority.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { LifecycleStore } from '../../../common/store/store.ts'
import { memoryAccounts } from './memory-accounts.ts'
import { memoryAdmission } from './memory-admission.ts'
import { memoryCommands } from './memory-commands.ts'
import { memoryDeliveries } from './deliveries/memory-deliveries.ts'
import { memoryDispatch } from './memory-dispatch.ts'
import { memoryFiles } from './memory-files.ts'
import { memoryGauges } from './memory-gauges.ts'
import { memoryLogs } from './memory-logs.ts'
import { memoryMirror } from './memory-mirror.ts'
import { memoryPauses } from './memory-accounts.ts'
import { memoryResults } from './memory-results.ts'
import { memoryAttempts } from './memory-attempts.ts'
import { memoryWarmRunners } from './memory-warm-runners.ts'
import type { Methods, Tables } from './memory-rows.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  /** Runs in front of every method; what it throws (an outage) is the method's answer. */
  readonly before?: (method: keyof LifecycleStore) => void | Promise<void>
  /** Runs after every change; what it throws is a reply lost after the commit. */
  readonly after?: (method: keyof LifecycleStore, result: unknown) => void | Promise<void>
  /** Changes where commits were lost. */
  readonly history?: () => string
  /** Without the unique indexes on warm runners. */
  readonly reusesWarmRunners?: boolean
  /** Sees what every method left behind, at once, as a trigger of the database would. */
  readonly audit?: (tables: Tables, method: keyof LifecycleStore) => void
}

/**
 * The in-memory twin of the Postgres store, held to it by one test. Each method changes everything
 * or nothing without giving way in between, as a statement does; what goes in and out is copied, so
 * no caller holds a row.
 */
export function createMemoryStore(options: MemoryStoreOptions): LifecycleStore {
  const { clock, before, after, audit } = options
  const tables = emptyTables()
  const origin = clock.wall().getTime() - clock.monotonicMs()
  // The database's own clock: later jumps of the host's wall clock do not move it, and it stands
  // still within a transaction, as now() does.
  let time = origin
  const now = () => time

  const attempts = memoryAttempts(tables, now)
  const methods: Methods = {
    ...memoryAccounts(tables),
    ...memoryCommands(tables, now, defaultPriorityAgeSeconds),
    ...memoryDispatch(tables, now),
    ...memoryMirror(tables, now),
    ...memoryGauges(tables, now),
    ...attempts,
    ...memoryWarmRunners(tables, now, options.reusesWarmRunners),
    ...memoryAdmission(tables, now, (commit) => attempts.commitOutcome(commit)),
    ...memoryPauses(tables, now),
    ...memoryFiles(tables, now),
    ...memoryLogs(tables, now),
    ...memoryDeliveries(tables, now, () => tables.pauses.has('webhooks')),
    ...memoryResults(tables, now, () => options.history?.() ?? 'first'),
  }
  const store: Record<string, unknown> = {}
  for (const method of Object.keys(methods) as (keyof LifecycleStore)[]) {
    const run = methods[method] as (...input: readonly unknown[]) => unknown
    store[method] = async (...input: readonly unknown[]) => {
      await before?.(method)
      time = origin + clock.monotonicMs()
      const result = copyOf(run(...input))
      audit?.(tables, method)
      await after?.(method, result)
      return result
    }
  }
  return store as unknown as LifecycleStore
}
