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
import type { KubeObject, Resource } from '../../common/kubernetes/resources/resource.ts'
import { createStoredFiles } from '../../common/kubernetes/resources/stored-files.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import { labels, managedBy } from '../../common/domain/resource-names.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import { commandFacts, storedFileFacts } from './command-facts.ts'
import type { CommandFacts } from './command-facts.ts'
import type { Facts } from './fact-metadata.ts'
import { jobFacts } from './job-facts.ts'
import type { JobFacts } from './job-facts.ts'
import { podFacts } from './pod-facts.ts'
import type { PodFacts } from './pod-facts.ts'
import type { Change } from '../machinery/reflector/object-cache.ts'
import type { ReflectorMetrics } from '../machinery/reflector/reflector-metrics.ts'
import { createReflector } from '../machinery/reflector/reflector.ts'
import type { Reflector, ReflectorDeps } from '../machinery/reflector/reflector.ts'
import { watchedObjects } from '../machinery/reflector/watched-objects.ts'
import type { WatchedObjects } from '../machinery/reflector/watched-objects.ts'

/** The kinds that this process watches. */
export function resourcesOf(client: KubeClient) {
  return {
    commands: createFfmpegCommands(client),
    storedFiles: createStoredFiles(client),
    jobs: createJobs(client),
    pods: createPods(client),
  }
}

export type CacheChange =
  | ({ readonly kind: WorkKind } & Change<CommandFacts>)
  | ({ readonly kind: 'Job' } & Change<JobFacts>)
  | ({ readonly kind: 'Pod' } & Change<PodFacts>)

export interface WatchDeps {
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
export const allWarmRunners = 'all'

/** Watches all kinds; namespaces of one kind look like one cache. */
export function watchKinds(
  deps: WatchDeps,
  onChange: (commandId: string | null, change: CacheChange) => void,
) {
  const { metrics, logger } = deps
  const [home = ''] = deps.namespaces
  const { clock } = deps.effects
  const random = (): number => deps.effects.random()
  const shared = { clock, random, metrics, logger }
  return {
    commands: watched({
      resource: deps.commands,
      project: (object) => commandFacts(object, home),
      indexes: { command: commandKey },
      tag: (change) => ({ kind: 'FfmpegCommand', ...change }),
    }),
    storedFiles: watched({
      resource: deps.storedFiles,
      project: (object) => storedFileFacts(object, home),
      indexes: { command: commandKey },
      tag: (change) => ({ kind: 'StoredFile', ...change }),
    }),
    jobs: watched({
      resource: deps.jobs,
      labelSelector: ourLabel,
      project: jobFacts,
      indexes: {
        command: commandKey,
        warmRunner: ({ warmRunner }) => (warmRunner === null ? [] : [allWarmRunners]),
      },
      tag: (change) => ({ kind: 'Job', ...change }),
    }),
    pods: watched({
      resource: deps.pods,
      labelSelector: ourLabel,
      project: podFacts,
      indexes: {
        command: commandKey,
        uid: ({ metadata }) => [metadata.uid],
        warmRunner: ({ warmRunner }) => jobUidsOf(warmRunner),
      },
      tag: (change) => ({ kind: 'Pod', ...change }),
    }),
  }

  function watched<Source extends KubeObject, T extends CommandObject>({
    tag,
    ...kind
  }: Pick<ReflectorDeps<Source, T>, 'resource' | 'project' | 'indexes' | 'labelSelector'> & {
    readonly tag: (change: Change<T>) => CacheChange
  }): WatchedObjects<T> {
    const watch = (namespace: string): Reflector<T> =>
      createReflector({
        ...shared,
        ...kind,
        namespace,
        onChange: (change) => onChange(change.object.commandId, tag(change)),
      })
    return watchedObjects(
      new Map(deps.namespaces.map((namespace) => [namespace, watch(namespace)])),
    )
  }
}

interface CommandObject extends Facts {
  readonly commandId: string | null
}

function jobUidsOf(warmRunner: PodFacts['warmRunner']): string[] {
  const job = warmRunner === null ? null : warmRunner.job
  return job === null ? [] : [job.uid]
}

function commandKey({ commandId }: { readonly commandId: string | null }): string[] {
  return commandId === null ? [] : [commandId]
}
