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
import { jobFacts } from './job-facts.ts'
import type { JobFacts } from './job-facts.ts'
import { podFacts } from './pod-facts.ts'
import type { PodFacts } from './pod-facts.ts'
import { createGonePods } from './deleted-pods.ts'
import type { CachedObject, Change } from '../machinery/object-cache.ts'
import type { ReflectorMetrics } from '../machinery/reflector-metrics.ts'
import { createReflector } from '../machinery/reflector.ts'
import type { Reflector } from '../machinery/reflector.ts'

/** What this process knows of the cluster. Every replica keeps it: a new leader starts warm. */
export interface Caches {
  readonly commands: Reflector<CommandFacts>
  readonly storedFiles: Reflector<CommandFacts>
  readonly jobs: Reflector<JobFacts>
  readonly pods: Reflector<PodFacts>
  /** More than one only if a user made an object with a command's id in it. */
  commandsOf(commandId: string): CommandFacts[]
  jobsOf(commandId: string): JobFacts[]
  podsOf(commandId: string): PodFacts[]
  /** Pods that are gone, as they were last seen; kept for some minutes. */
  gonePodsOf(commandId: string): PodFacts[]
  /** Living in the cluster or gone; null for a pod that was never seen. */
  podByUid(podUid: string): PodFacts | null
  isGone(podUid: string): boolean
  /** The same pod, for the command that it was given before it wears its labels. */
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

/** What is known of the objects of a kind. */
export function cacheOf(
  caches: Pick<Caches, 'commands' | 'storedFiles'>,
  kind: WorkKind,
): Reflector<CommandFacts> {
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
  readonly namespace: string
  readonly effects: Effects
  readonly metrics: ReflectorMetrics
  readonly logger: Logger
}

const ourLabel = `${labels.managedBy}=${managedBy}`

export function createCaches(deps: CachesDeps): Caches {
  const { namespace, metrics, logger } = deps
  const { clock } = deps.effects
  const random = (): number => deps.effects.random()
  const listeners = new Set<CacheListener>()
  const gone = createGonePods(clock)
  const shared = { namespace, clock, random, metrics, logger }
  const commands = createReflector({
    ...shared,
    resource: deps.commands,
    project: commandFacts,
    indexes: { command: ({ commandId }) => [commandId] },
    onChange: (change) => report(change.object.commandId, { kind: 'FfmpegCommand', ...change }),
  })
  const storedFiles = createReflector({
    ...shared,
    resource: deps.storedFiles,
    project: storedFileFacts,
    indexes: { command: ({ commandId }) => [commandId] },
    onChange: (change) => report(change.object.commandId, { kind: 'StoredFile', ...change }),
  })
  const jobs = createReflector({
    ...shared,
    resource: deps.jobs,
    labelSelector: ourLabel,
    project: jobFacts,
    indexes: {
      command: commandKey,
      standby: ({ standby }) => (standby === null ? [] : [allStandbys]),
    },
    onChange: (change) => report(change.object.commandId, { kind: 'Job', ...change }),
  })
  const pods = createReflector({
    ...shared,
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
  })
  const all = [commands, storedFiles, jobs, pods]

  return {
    commands,
    storedFiles,
    jobs,
    pods,
    commandsOf: (commandId) => [
      ...commands.byIndex('command', commandId),
      ...storedFiles.byIndex('command', commandId),
    ],
    jobsOf: (commandId) => jobs.byIndex('command', commandId),
    podsOf: (commandId) => pods.byIndex('command', commandId),
    gonePodsOf: (commandId) => gone.of(commandId),
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
function isNoise(change: Change<CachedObject>): boolean {
  return change.type === 'modified' && sameFacts(change.object, change.previous)
}
