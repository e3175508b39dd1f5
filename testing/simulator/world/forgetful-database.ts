import type { Clock, FailpointName } from '../../../common/runtime/effects.ts'
import type { LifecycleStore } from '../../../common/store/store.ts'
import { copyTables, replaceTables } from './copy-tables.ts'
import type { TablesCopy } from './copy-tables.ts'
import type { Tables } from '../memory-store/memory-rows.ts'
import type { Random } from '../../support/random.ts'

/** The database loses its last commits soon after an effect, as a standby does that is promoted. */
export interface Forgets {
  readonly at: FailpointName
  /** Meetings with the failpoint that pass before. */
  readonly skip: number
  readonly commits: number
}

export interface ForgetfulDatabase {
  /** After each method of the store. */
  changed(tables: Tables, method: keyof LifecycleStore): void
  /** A process meets a failpoint. */
  met(name: FailpointName): void
  losses(): number
}

/** The effect itself, its commit and the next ones may come before the loss, or not. */
const longestDelayMs = 400

export function createForgetfulDatabase(
  { at, skip, commits }: Forgets,
  deps: {
    readonly clock: Clock
    readonly random: Random
    readonly onForget: (commits: number) => void
  },
): ForgetfulDatabase {
  const earlier: TablesCopy[] = []
  let now: Tables | null = null
  let left: number | null = skip
  let losses = 0
  return {
    changed(tables, method) {
      now = tables
      if (left === null || isRead(method)) return
      earlier.push(copyTables(tables))
      if (earlier.length > commits + 1) earlier.shift()
    },
    met(name) {
      if (name !== at || left === null) return
      left -= 1
      if (left >= 0) return
      left = -Infinity
      deps.clock.schedule(deps.random.between(0, longestDelayMs), forget)
    },
    losses: () => losses,
  }

  function forget(): void {
    const before = earlier[0]
    if (now === null || before === undefined || left === null) return
    left = null
    losses += 1
    replaceTables(now, before)
    deps.onForget(earlier.length - 1)
    earlier.length = 0
  }
}

/** Accounts are there before the run begins. */
function isRead(method: keyof LifecycleStore): boolean {
  return /^(find|list|ping|gauges|read|ensureAccount)/.test(method)
}
