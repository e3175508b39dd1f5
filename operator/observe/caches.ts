import type { Effects } from '../../common/runtime/effects.ts'
import type {
  FfmpegCommand,
  Job,
  Pod,
  StoredFileObject,
} from '../../common/kubernetes/resources/objects.ts'
import type { KubeClient } from '../../common/kubernetes/client.ts'
import { createFfmpegCommands } from '../../common/kubernetes/resources/ffmpeg-commands.ts'
import { createJobs } from '../../common/kubernetes/resources/jobs.ts'
import { createPods } from '../../common/kubernetes/resources/pods.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import { createStoredFiles } from '../../common/kubernetes/resources/stored-files.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import { labels, managedBy } from '../../common/domain/resource-names.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import { commandFacts, storedFileFacts } from './command-facts.ts'
import type { CommandFacts } from './command-facts.ts'
import { sameFacts } from './fact-metadata.ts'
import type { Facts } from './fact-metadata.ts'
import { jobFacts } from './job-facts.ts'
import type { JobFacts } from './job-facts.ts'
import { podFacts } from './pod-facts.ts'
import type { PodFacts } from './pod-facts.ts'
import { createGonePods } from './deleted-pods.ts'
import type { Change } from '../machinery/object-cache.ts'
import type { ReflectorMetrics } from '../machinery/reflector-metrics.ts'
import { createReflector } from '../machinery/reflector.ts'
import type { Reflector } from '../machinery/reflector.ts'
import { watchedObjects } from '../machinery/watched-objects.ts'
import type { WatchedObjects } from '../machinery/watched-objects.ts'

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
  standbyJobs(): JobFacts[]
  standbyPodsOf(jobUid: string): PodFacts[]
  /** @returns how to stop listening */
  subscribe(listener: CacheListener): () => void
  /** Resolves once all kinds are known. */
  readonly synced: Promise<void>
  isSynced(): boolean
  /** Largest value of all kinds. */
  msSinceContact(): number
  run(signal: AbortSignal): Promise<void>
}

/** The kinds that this process watches. */
export function resourcesOf(client: KubeClient) {
  return {
    commands: createFfmpegCommands(client),
    storedFiles: createStoredFiles(client),
    jobs: createJobs(client),
    pods: createPods(client),
  }
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

export type CacheChange =
  | ({ readonly kind: WorkKind } & Change<CommandFacts>)
  | ({ readonly kind: 'Job' } & Change<JobFacts>)
  | ({ readonly kind: 'Pod' } & Change<PodFacts>)

export interface CachesDeps {
  readonly commands: Resource<FfmpegCommand>
  readonly storedFiles: Resource<StoredFileObject>
  readonly jobs: Resource<Job>
  readonly pods: Resource<Pod>
  /** Same as `Caches.namespaces`. */
  readonly namespaces: readonly string[]
  readonly effects: Effects
  readonly metrics: ReflectorMetrics
  readonly logger: Logger
}

const ourLabel = `${labels.managedBy}=${managedBy}`

export function createCaches(deps: CachesDeps): Caches {
  const { metrics, logger } = deps
  const [home = '', ...guests] = deps.namespaces
  const { clock } = deps.effects
  const random = (): number => deps.effects.random()
  const listeners = new Set<CacheListener>()
  const gone = createGonePods(clock)
  const shared = { clock, random, metrics, logger }
  const commands = watched<CommandFacts>((namespace) =>
    createReflector({
      ...shared,
      namespace,
      resource: deps.commands,
      project: (object) => commandFacts(object, home),
      indexes: { command: ({ commandId }) => [commandId] },
      onChange: (change) => report(change.object.commandId, { kind: 'FfmpegCommand', ...change }),
    }),
  )
  const storedFiles = watched<CommandFacts>((namespace) =>
    createReflector({
      ...shared,
      namespace,
      resource: deps.storedFiles,
      project: (object) => storedFileFacts(object, home),
      indexes: { command: ({ commandId }) => [commandId] },
      onChange: (change) => report(change.object.commandId, { kind: 'StoredFile', ...change }),
    }),
  )
  const jobs = watched<JobFacts>((namespace) =>
    createReflector({
      ...shared,
      namespace,
      resource: deps.jobs,
      labelSelector: ourLabel,
      project: jobFacts,
      indexes: {
        command: commandKey,
        standby: ({ standby }) => (standby === null ? [] : [allStandbys]),
      },
      onChange: (change) => report(change.object.commandId, { kind: 'Job', ...change }),
    }),
  )
  const pods = watched<PodFacts>((namespace) =>
    createReflector({
      ...shared,
      namespace,
      resource: deps.pods,
      labelSelector: ourLabel,
      project: podFacts,
      indexes: {
        command: commandKey,
        uid: ({ metadata }) => [metadata.uid],
        standby: ({ standby }) => jobUidsOf(standby),
      },
      onChange(change) {
        if (change.type === 'deleted') gone.add(change.object)
        report(change.object.commandId, { kind: 'Pod', ...change })
      },
    }),
  )
  const all = [commands, storedFiles, jobs, pods]

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
    standbyJobs: () => jobs.byIndex('standby', allStandbys),
    standbyPodsOf: (jobUid) => pods.byIndex('standby', jobUid),
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

  function watched<T extends Facts>(watch: (namespace: string) => Reflector<T>): WatchedObjects<T> {
    return watchedObjects(
      new Map(deps.namespaces.map((namespace) => [namespace, watch(namespace)])),
    )
  }

  function report(commandId: string | null, change: CacheChange): void {
    if (commandId === null || isNoise(change)) return
    for (const listener of listeners) listener(commandId, change)
  }
}

const allStandbys = 'all'

function jobUidsOf(standby: PodFacts['standby']): string[] {
  const job = standby === null ? null : standby.job
  return job === null ? [] : [job.uid]
}

function commandKey({ commandId }: { readonly commandId: string | null }): string[] {
  return commandId === null ? [] : [commandId]
}

/**
 * Most events of a Job and its pod change nothing that a decision depends on: heartbeats,
 * readiness.
 */
function isNoise(change: Change<Facts>): boolean {
  return change.type === 'modified' && sameFacts(change.object, change.previous)
}
