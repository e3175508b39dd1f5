import type { Effects, FailpointName } from '../../common/runtime/effects.ts'
import type {
  FfmpegCommand,
  Job,
  Pod,
  StoredFileObject,
} from '../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { ObjectStore } from '../../common/storage/object-store.ts'
import type { LifecycleStore } from '../../common/store/store.ts'
import type { Caches } from '../observe/caches.ts'
import type { CommandTimers } from './command-timers.ts'
import type { ResultKeeper } from './result-keeper.ts'
import type { ShowTurns } from './show-turns.ts'
import type { CommandMetrics } from './command-metrics.ts'
import type { HistoryMetrics } from './history-metrics.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { EventRecorder } from '../machinery/event-recorder.ts'
import type { Term } from '../machinery/election/leader.ts'
import type { WarmMetrics } from '../warm/warm-metrics.ts'
import type { WarmPool } from '../warm/warm-pool.ts'
import type { OwnWrites } from '../machinery/own-writes.ts'

export interface ApplyDeps {
  readonly store: LifecycleStore
  readonly storage: Pick<ObjectStore, 'head' | 'list'>
  readonly commands: Resource<FfmpegCommand>
  readonly storedFiles: Resource<StoredFileObject>
  readonly jobs: Resource<Job>
  readonly pods: Resource<Pod>
  readonly caches: Caches
  readonly ownWrites: OwnWrites
  readonly term: Pick<Term, 'mustHold'>
  readonly timers: CommandTimers
  readonly results: ResultKeeper
  readonly importCommand: ImportCommand
  readonly warm: Pick<WarmPool, 'take' | 'settle' | 'answer' | 'resizeRefused'>
  readonly warmMetrics: Pick<WarmMetrics, 'missed' | 'resized'>
  readonly wakeAdmission: () => void
  readonly showTurns: ShowTurns
  readonly recorder: Pick<EventRecorder, 'record'>
  readonly effects: Effects
  readonly metrics: CommandMetrics & HistoryMetrics
  readonly logger: Logger
}

/** Makes the row of an object that was applied with kubectl. */
export type ImportCommand = (command: CommandFacts) => Promise<Applied>

/**
 * Result of an action: `again` = take a new snapshot and reconcile again, the state has changed.
 */
export type Applied =
  | { readonly kind: 'done' }
  | { readonly kind: 'later'; readonly afterMs: number }
  | { readonly kind: 'again' }
  | { readonly kind: 'confirmed' }

export const done: Applied = { kind: 'done' }
export const again: Applied = { kind: 'again' }

/**
 * Every write of the leader goes through here. Having held the Lease a moment ago proves nothing,
 * so each write has a guard of its own as well; this check only prevents a burst of refused writes
 * from a process that was stopped for a while.
 */
export function effect<T>(
  { term, effects }: Pick<ApplyDeps, 'term' | 'effects'>,
  name: FailpointName,
  run: () => Promise<T>,
): Promise<T> {
  term.mustHold()
  return effects.failpoint(name, run)
}

/** The API calls of the kind that represents a piece of work. */
export function resourceOf(
  deps: Pick<ApplyDeps, 'commands' | 'storedFiles'>,
  kind: WorkKind,
): Resource<FfmpegCommand | StoredFileObject> {
  return kind === 'FfmpegCommand' ? deps.commands : deps.storedFiles
}

/** The Kubernetes Event that `kubectl describe` shows for a command. */
export function recordEvent(
  { recorder }: Pick<ApplyDeps, 'recorder'>,
  { kind, metadata }: CommandFacts,
  event: { type: 'Normal' | 'Warning'; reason: string; action: string; note: string },
): void {
  const { namespace, name, uid } = metadata
  const regarding = {
    apiVersion: 'cloudffmpeg.dev/v1alpha1',
    kind,
    namespace,
    name,
    uid,
  }
  recorder.record({ regarding, ...event })
}
