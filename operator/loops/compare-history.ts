import { createEachItem } from '../../common/runtime/each-item.ts'
import { isFinal } from '../../common/domain/states.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Store } from '../../common/store/store.ts'
import { effect } from '../apply/apply-context.ts'
import type { Applied } from '../apply/apply-context.ts'
import type { HistoryMetrics } from '../apply/history-metrics.ts'
import type { Term } from '../machinery/election/leader.ts'
import type { Caches } from '../observe/caches.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'

/** Guards actions after the database was restarted, promoted or restored. */
export interface HistoryGate {
  /**
   * Resolves once all custom resources were compared under the present history of the database.
   * Reads one row if they were.
   */
  compared(signal: AbortSignal): Promise<void>
}

export interface HistoryDeps {
  readonly store: Pick<Store, 'readHistory' | 'recordCompared' | 'findForReconcile'>
  readonly caches: Pick<Caches, 'commands' | 'storedFiles' | 'podsOf'>
  /** One reconcile, with all that it changes. */
  readonly reconcile: (commandId: string, signal: AbortSignal) => Promise<unknown>
  /** Records the end of an attempt from its result object; null if it has none. */
  readonly restoreKept: (row: ReconcileRow, attempt: string) => Promise<Applied | null>
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly metrics: Pick<HistoryMetrics, 'historyCompared'>
  readonly logger: Logger
}

const atATime = 8

/**
 * Commits that the cluster shows may be missing in a database with another history: an asynchronous
 * warm runner was promoted, or a crash came before a flush. Before anything is admitted or swept, each
 * custom resource is compared with its row, and ends that were shown are recorded again. The history
 * that was compared is in the database itself: if that commit is lost too, it is all done once more.
 */
export function createHistoryGate(deps: HistoryDeps): HistoryGate {
  const { caches, effects, logger, store } = deps
  const eachResource = createEachItem({ name: 'history', clock: effects.clock, logger })
  let running: Promise<void> | null = null
  return {
    compared(signal) {
      running ??= check(signal).finally(() => {
        running = null
      })
      return running
    },
  }

  async function check(signal: AbortSignal): Promise<void> {
    const { current, compared } = await store.readHistory()
    if (current === compared) return
    const resources = [...caches.commands.list(), ...caches.storedFiles.list()]
    const outages: Error[] = []
    await eachResource.run(resources, {
      work: (command) => compare(command, signal),
      // One resource that fails must not hold the queue of all accounts; without the database or the
      // object store nothing was compared.
      postpone: (_command, error) => {
        if (isOutage(error)) outages.push(error)
      },
      describe: ({ commandId }) => ({ command_id: commandId }),
      concurrency: atATime,
      giveUpAfter: 4 * atATime,
      signal,
    })
    signal.throwIfAborted()
    if (outages[0] !== undefined) throw outages[0]
    await effect(deps, 'operator.history_compared', () => store.recordCompared(current))
    deps.metrics.historyCompared(compared)
    logger.info('compared custom resources with their rows', {
      resources: resources.length,
      history: current,
      before: compared,
    })
  }

  async function compare(command: CommandFacts, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { commandId } = command
    const row = await store.findForReconcile(commandId)
    if (row !== null && isFinal(row.status)) return
    if (row === null || command.shown.ended) return void (await deps.reconcile(commandId, signal))
    for (const attempt of attemptsOf(row)) {
      const restored = await deps.restoreKept(row, attempt)
      if (restored?.kind === 'later') throw new ComparisonIncomplete(commandId)
      if (restored !== null) return
    }
  }

  /** The pods too: the claim may be lost. */
  function attemptsOf(row: ReconcileRow): Set<string> {
    const pods = caches.podsOf(row.commandId).map(({ metadata }) => metadata.uid)
    return new Set([...(row.attempt === null ? [] : [row.attempt]), ...pods])
  }
}

/** The object store is unavailable, so it is unknown whether an end was lost. */
class ComparisonIncomplete extends Error {
  constructor(commandId: string) {
    super(`the object store cannot say whether the end of ${commandId} was lost`)
    this.name = 'ComparisonIncomplete'
  }
}

function isOutage(error: unknown): error is Error {
  return error instanceof DatabaseUnavailable || error instanceof ComparisonIncomplete
}
