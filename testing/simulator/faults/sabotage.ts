import { KubeError, isKubeError } from '../../../common/kubernetes/kube-error.ts'
import type { WatchEvent } from '../../../common/kubernetes/resources/watch-events.ts'
import { labels } from '../../../common/domain/resource-names.ts'
import { isFinal } from '../../../common/domain/states.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import type { Sabotage } from '../world/world.ts'

/** A cached copy always counts as current, also after later writes. */
export const withoutOwnWrites: Sabotage = {
  ownWrites: (ownWrites) => ({ ...ownWrites, waitFor: () => null }),
}

/** Each report counts as one of the current attempt. */
export const withoutAttemptFence: Sabotage = {
  gatewayStore: (store, podUid) => ({
    ...store,
    findForReconcile: async (commandId) => {
      const row = await store.findForReconcile(commandId)
      return row === null ? null : { ...row, attempt: podUid }
    },
    storeProgress: async (progress) => {
      const row = await store.findForReconcile(progress.commandId)
      return row?.attempt === podUid
        ? store.storeProgress(progress)
        : { kind: 'stored', cancel: false }
    },
    commitOutcome: async (commit) => {
      const { jobGeneration: _round, ...rest } = commit
      const row = await store.findForReconcile(commit.commandId)
      return store.commitOutcome({ ...rest, attempt: row?.attempt ?? null })
    },
  }),
}

/** Reconcile does not learn that a command has ended. */
export const withoutTerminalRows: Sabotage = {
  reconcileStore: (store) => ({
    ...store,
    findForReconcile: async (commandId) => {
      const row = await store.findForReconcile(commandId)
      return row === null || !isFinal(row.status) ? row : revived(row)
    },
  }),
}

/** A SUCCESS is shown without a result object. */
export const withoutResultObjects: Sabotage = {
  reconcileStore: (store) => ({ ...store, findResult: () => Promise.resolve(null) }),
}

/** Nothing prevents a second command for a warm runner: neither what the leader reads, nor a unique index. */
export const withoutUniqueWarmRunners: Sabotage = {
  reconcileStore: (store) => ({ ...store, boundWarmRunners: () => Promise.resolve([]) }),
  waiters: (waiters) => ({ ...waiters, answer: () => false }),
  reusesWarmRunners: true,
}

/** The unique index alone prevents it. */
export const withUniqueIndexAlone: Sabotage = {
  ...withoutUniqueWarmRunners,
  reusesWarmRunners: false,
}

/** The pod of an attempt is looked for by its labels alone. */
export const withoutUnlabelled: Sabotage = {
  seen: (caches) => ({ ...caches, attemptPod: () => null }),
  pods: (resource) => ({
    ...resource,
    listPage: async (query) => {
      const page = await resource.listPage(query)
      const byPool = query.labelSelector?.startsWith(labels.pool) === true
      return byPool ? { ...page, items: [] } : page
    },
  }),
}

function revived(row: ReconcileRow): ReconcileRow {
  return { ...row, status: 'QUEUED', attempt: null, errorStatus: null, errorMessage: null }
}

/** A name that is taken is a request that can never succeed. */
export const withoutExistsAsSuccess: Sabotage = {
  created: (resource) => ({
    ...resource,
    create: async (...request) => {
      try {
        return await resource.create(...request)
      } catch (error) {
        throw isKubeError(error, 'exists') ? as(error, 'invalid', 422) : error
      }
    },
  }),
}

/** A history that is gone is taken for a server that has a bad moment. */
export const withoutRelist: Sabotage = {
  watched: (resource) => ({
    ...resource,
    watch: async (query) => {
      try {
        return hidingGone(await resource.watch(query))
      } catch (error) {
        throw isKubeError(error, 'gone') ? as(error, 'transient') : error
      }
    },
  }),
}

async function* hidingGone(events: AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent> {
  try {
    yield* events
  } catch (error) {
    throw isKubeError(error, 'gone') ? as(error, 'transient') : error
  }
}

function as(
  error: KubeError,
  errorClass: KubeError['errorClass'],
  status = error.status,
): KubeError {
  const { message, reason, retryAfterMs } = error
  return new KubeError({ message, status, reason, retryAfterMs, errorClass }, { cause: error })
}
