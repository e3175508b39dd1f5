import type { WorkKind } from '../../common/domain/resource-names.ts'
import type { CommandFacts } from './command-facts.ts'
import { sameFacts } from './fact-metadata.ts'
import type { Facts } from './fact-metadata.ts'
import type { JobFacts } from './job-facts.ts'
import type { PodFacts } from './pod-facts.ts'
import { createGonePods } from './deleted-pods.ts'
import type { Change } from '../machinery/reflector/object-cache.ts'
import type { WatchedObjects } from '../machinery/reflector/watched-objects.ts'
import { allWarmRunners, watchKinds } from './watched-kinds.ts'
import type { CacheChange, WatchDeps } from './watched-kinds.ts'

/** Objects of the cluster that this process has cached. Every replica keeps them: a new leader starts warm. */
export interface Caches {
  /** The namespace in which the service itself creates objects; pods wait for commands there alone. */
  readonly home: string
  /** All that are watched, `home` first. */
  readonly namespaces: readonly string[]
  readonly commands: WatchedObjects<CommandFacts>
  readonly storedFiles: WatchedObjects<CommandFacts>
  readonly jobs: WatchedObjects<JobFacts>
  readonly pods: WatchedObjects<PodFacts>
  /**
   * Whether a Job or pod there may be one of the command: users who may create them in a namespace beside `home`
   * may give them the labels of any command, so they count for commands of that namespace alone.
   */
  mayBelong(commandId: string, namespace: string): boolean
  /** More than one only if a user made an object with a command's id in it. */
  commandsOf(commandId: string): CommandFacts[]
  jobsOf(commandId: string): JobFacts[]
  podsOf(commandId: string): PodFacts[]
  /** Pods that are gone, as they were last seen; kept for some minutes. */
  gonePodsOf(commandId: string): PodFacts[]
  /** Living in the cluster or gone; null for a pod that was never seen. */
  podByUid(podUid: string): PodFacts | null
  isGone(podUid: string): boolean
  /** The same pod, for the command that it was given, before it has the command's labels. */
  attemptPod(podUid: string): { readonly pod: PodFacts; readonly isGone: boolean } | null
  /** Jobs that were made before there was a command for them. */
  warmRunnerJobs(): JobFacts[]
  warmRunnerPodsOf(jobUid: string): PodFacts[]
  /** @returns how to stop listening */
  subscribe(listener: CacheListener): () => void
  /** Resolves once all kinds are known. */
  readonly synced: Promise<void>
  isSynced(): boolean
  /** Largest value of all kinds. */
  msSinceContact(): number
  run(signal: AbortSignal): Promise<void>
}

/** Cached objects of a kind. */
export function cacheOf(
  caches: Pick<Caches, 'commands' | 'storedFiles'>,
  kind: WorkKind,
): WatchedObjects<CommandFacts> {
  return kind === 'FfmpegCommand' ? caches.commands : caches.storedFiles
}

/** Called with the id of a command about which something that decides has changed. */
export type CacheListener = (commandId: string, change: CacheChange) => void

export function createCaches(deps: WatchDeps): Caches {
  const [home = '', ...guests] = deps.namespaces
  const listeners = new Set<CacheListener>()
  const gone = createGonePods(deps.effects.clock)
  const watched = watchKinds(deps, (commandId, change) => {
    if (change.kind === 'Pod' && change.type === 'deleted') gone.add(change.object)
    if (commandId === null || isNoise(change)) return
    for (const listener of listeners) listener(commandId, change)
  })
  const { commands, storedFiles, jobs, pods } = watched
  const all = Object.values(watched)

  return {
    home,
    namespaces: deps.namespaces,
    commands,
    storedFiles,
    jobs,
    pods,
    mayBelong,
    commandsOf,
    jobsOf: (commandId) => own(commandId, jobs.byIndex('command', commandId)),
    podsOf: (commandId) => own(commandId, pods.byIndex('command', commandId)),
    gonePodsOf: (commandId) => own(commandId, gone.of(commandId)),
    podByUid: (podUid) => pods.byIndex('uid', podUid)[0] ?? gone.byUid(podUid),
    isGone: (podUid) => pods.byIndex('uid', podUid).length === 0 && gone.byUid(podUid) !== null,
    attemptPod(podUid) {
      const [living] = pods.byIndex('uid', podUid)
      if (living !== undefined) return { pod: living, isGone: false }
      const pod = gone.byUid(podUid)
      return pod === null ? null : { pod, isGone: true }
    },
    warmRunnerJobs: () => jobs.byIndex('warmRunner', allWarmRunners),
    warmRunnerPodsOf: (jobUid) => pods.byIndex('warmRunner', jobUid),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    synced: Promise.all(all.map((reflector) => reflector.synced)).then(() => undefined),
    isSynced: () => all.every((reflector) => reflector.isSynced()),
    msSinceContact: () => Math.max(...all.map((reflector) => reflector.msSinceContact())),
    async run(signal) {
      await Promise.all(all.map((reflector) => reflector.run(signal)))
    },
  }

  function commandsOf(commandId: string): CommandFacts[] {
    return [...commands.byIndex('command', commandId), ...storedFiles.byIndex('command', commandId)]
  }

  function mayBelong(commandId: string, namespace: string): boolean {
    if (namespace === home) return true
    const found = commandsOf(commandId)
    return found.length === 0 || found.some(({ metadata }) => metadata.namespace === namespace)
  }

  function own<T extends Facts>(commandId: string, objects: T[]): T[] {
    if (guests.length === 0) return objects
    return objects.filter(({ metadata }) => mayBelong(commandId, metadata.namespace))
  }
}

/**
 * Most events of a Job and its pod change nothing that a decision depends on: heartbeats,
 * readiness.
 */
function isNoise(change: Change<Facts>): boolean {
  return change.type === 'modified' && sameFacts(change.object, change.previous)
}
