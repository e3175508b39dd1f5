import type { Effects } from '../../common/runtime/effects.ts'
import { sleep } from '../../common/runtime/effects.ts'
import type { Deployments } from '../../common/kubernetes/resources/deployments.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { Job, Pod } from '../../common/kubernetes/resources/objects.ts'
import type { KubeObject, Resource } from '../../common/kubernetes/resources/resource.ts'
import { labels, managedBy, recordFinalizer } from '../../common/domain/resource-names.ts'
import { releaseObjects } from './release-objects.ts'

export interface UninstallDeps {
  readonly deployments: Deployments
  readonly pods: Pick<Resource<Pod>, 'listPage'>
  readonly jobs: Pick<Resource<Job>, 'listPage' | 'parse' | 'delete'>
  readonly kinds: readonly Resource<KubeObject>[]
  readonly effects: Effects
  /** A line for the person who uninstalls. */
  readonly say: (line: string) => void
}

export interface Leftovers {
  /** Namespaces of commands, Jobs and pods. */
  readonly namespaces: readonly string[]
  /** API server and operator. */
  readonly deployments: readonly { readonly namespace: string; readonly name: string }[]
}

const ourLabel = `${labels.managedBy}=${managedBy}`
/**
 * Both have a grace period of 30 s. A longer end means an unreachable node, and the rest must not
 * wait for it.
 */
const serversMs = 45_000
/** Runners have 15 s. */
const runnersMs = 25_000
const pollAgainMs = 500
const tryAgainMs = 1_000

/**
 * Brings namespaces into a state in which they can be deleted. The servers stop first: a running
 * dispatcher would recreate custom resources, a running operator would recreate Jobs. Rows are not
 * changed, so that the next installation on the same database continues the unfinished commands.
 * @param signal ends it, with an error
 */
export async function uninstall(
  deps: UninstallDeps,
  leftovers: Leftovers,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = deps.effects
  for (;;) {
    try {
      return await oneTry(deps, leftovers, signal)
    } catch (error) {
      // Each step may be done twice.
      if (signal.aborted || !isKubeError(error)) throw error
      deps.say(`trying again: ${error.message}`)
      await sleep(clock, tryAgainMs, signal)
    }
  }
}

async function oneTry(
  deps: UninstallDeps,
  { namespaces, deployments }: Leftovers,
  signal: AbortSignal,
): Promise<void> {
  await stopServers(deps, deployments, signal)
  await Promise.all(namespaces.map((namespace) => release(deps, namespace, signal)))
}

async function release(deps: UninstallDeps, namespace: string, signal: AbortSignal): Promise<void> {
  const deleted = await deleteJobs(deps, namespace, signal)
  deps.say(`deleted ${deleted} Jobs in namespace ${namespace}`)
  const released = await releaseObjects(deps, namespace, signal)
  deps.say(`took the finalizer ${recordFinalizer} off ${released} objects in ${namespace}`)
  // The NetworkPolicy of runners is deleted with the release: no runner should outlive it.
  const query = { namespace, labelSelector: ourLabel }
  const haveEnded = await untilNoPods(deps, query, { patienceMs: runnersMs, signal })
  const which = haveEnded ? 'all runners have ended' : 'some runners have not ended yet'
  deps.say(`${which} in ${namespace}`)
}

async function stopServers(
  deps: UninstallDeps,
  deployments: Leftovers['deployments'],
  signal: AbortSignal,
): Promise<void> {
  const selectors: { namespace: string; labelSelector: string }[] = []
  for (const { namespace, name } of deployments) {
    const scaled = await deps.effects.failpoint('uninstall.servers_stopped', () =>
      deps.deployments.scale({ namespace, name }, 0, { signal }),
    )
    if (scaled !== null) selectors.push({ namespace, labelSelector: scaled.selector })
  }
  const patience = { patienceMs: serversMs, signal }
  const ended = await Promise.all(selectors.map((query) => untilNoPods(deps, query, patience)))
  if (deployments.length === 0) return
  deps.say(
    ended.every((each) => each)
      ? 'API server and operator have stopped'
      : `API server and operator have not stopped within ${serversMs / 1000} s, going on without them`,
  )
}

async function deleteJobs(
  { jobs, effects }: UninstallDeps,
  namespace: string,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0
  let continueToken: string | null = null
  do {
    const page = await jobs.listPage({
      namespace,
      labelSelector: ourLabel,
      limit: 100,
      signal,
      ...(continueToken === null ? {} : { continueToken }),
    })
    for (const { metadata } of page.items.map((item) => jobs.parse(item))) {
      const { name, uid } = metadata
      await effects.failpoint('uninstall.job_deleted', () =>
        jobs.delete({ namespace, name, uid }, { signal }),
      )
      deleted += 1
    }
    continueToken = page.continueToken
  } while (continueToken !== null)
  return deleted
}

/** @returns whether all have ended in this time */
async function untilNoPods(
  { pods, effects: { clock } }: UninstallDeps,
  query: { readonly namespace: string; readonly labelSelector: string },
  { patienceMs, signal }: { readonly patienceMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const fieldSelector = 'status.phase!=Succeeded,status.phase!=Failed'
  const beganMs = clock.monotonicMs()
  for (;;) {
    const living = { ...query, fieldSelector, limit: 1, metadataOnly: true, signal }
    const { items } = await pods.listPage(living)
    if (items.length === 0) return true
    if (clock.monotonicMs() - beganMs >= patienceMs) return false
    await sleep(clock, pollAgainMs, signal)
  }
}
