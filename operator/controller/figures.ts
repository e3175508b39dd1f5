import type { Registry } from 'prom-client'
import { queueReasons } from '../../common/domain/states.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import { gauge } from '../../common/runtime/metrics.ts'
import type { Gauges } from '../../common/store/health.ts'
import type { Store } from '../../common/store/store.ts'
import { createQuotaDifferences } from '../loops/quota-differences.ts'
import type { QuotaDifferences } from '../loops/quota-differences.ts'
import { createUnrecordedEnds } from '../loops/unrecorded-ends.ts'
import type { Caches } from '../observe/caches.ts'
import { isSuspendedByQueue } from '../observe/job-facts.ts'
import { recordLost } from '../observe/shown-status.ts'

/** Gauges that the leader sets from what it reads of the database and the cluster. */
export interface FigureMetrics {
  /** Rows, as the database counts them. */
  readonly storeFigures: (gauges: Gauges) => void
  readonly clusterFigures: (figures: ClusterFigures) => void
}

interface ClusterFigures {
  readonly resources: { readonly FfmpegCommand: number; readonly StoredFile: number }
  readonly suspendedJobs: number
  /** Custom resources whose row was lost and cannot be inserted again. */
  readonly lostRecords: number
  /** Since the oldest pod ended whose command shows no end; 0 without one. */
  readonly unrecordedSeconds: number
  readonly quotaDifferences: QuotaDifferences
}

export function createFigureMetrics(registry: Registry): FigureMetrics {
  return { storeFigures: storeGauges(registry), clusterFigures: clusterGauges(registry) }
}

/** Reads all figures once. */
export function createFigures({
  store,
  caches,
  clock,
  metrics,
}: {
  readonly store: Pick<Store, 'gauges' | 'findHolding'>
  readonly caches: Caches
  readonly clock: Clock
  readonly metrics: FigureMetrics
}): () => Promise<void> {
  const unrecordedSeconds = createUnrecordedEnds(caches, clock)
  const quotaDifferences = createQuotaDifferences(caches, clock)
  return async () => {
    metrics.storeFigures(await store.gauges())
    const { commands, storedFiles, jobs } = caches
    const resources = [...commands.list(), ...storedFiles.list()]
    metrics.clusterFigures({
      resources: { FfmpegCommand: commands.list().length, StoredFile: storedFiles.list().length },
      suspendedJobs: jobs.list().filter(isSuspendedByQueue).length,
      lostRecords: resources.filter(({ shown }) => shown.reason === recordLost).length,
      unrecordedSeconds: unrecordedSeconds(),
      quotaDifferences: quotaDifferences(await store.findHolding()),
    })
  }
}

function clusterGauges(registry: Registry): FigureMetrics['clusterFigures'] {
  const suspended = gauge(
    registry,
    'suspended_jobs',
    'Jobs that wait for Kueue, also those it has evicted.',
  )
  const resources = gauge(registry, 'live_resources', 'Custom resources in the cluster.', ['kind'])
  const differences = gauge(
    registry,
    'quota_differences',
    'Commands for which database and cluster have differed for two minutes: unused ones hold vCPUs without a Job, uncounted ones run and hold none.',
    ['kind'],
  )
  const unrecorded = gauge(
    registry,
    'unrecorded_terminal_age_seconds',
    'Since the oldest pod was seen to have ended whose command shows no end; 0 without one.',
  )
  const orphans = gauge(
    registry,
    'orphans',
    'What has lost its record: custom resources without a row that cannot be inserted again.',
    ['kind'],
  )
  return (now) => {
    suspended.set(now.suspendedJobs)
    orphans.labels('record').set(now.lostRecords)
    unrecorded.set(now.unrecordedSeconds)
    for (const [kind, count] of Object.entries(now.resources)) resources.labels(kind).set(count)
    for (const kind of ['unused', 'uncounted'] as const) {
      differences.labels(kind).set(now.quotaDifferences[kind])
    }
  }
}

function storeGauges(registry: Registry): (gauges: Gauges) => void {
  const commands = gauge(registry, 'commands', 'Commands that have not ended.', ['state'])
  const of = (name: string, help: string) => gauge(registry, name, help, ['reason'])
  const waiting = {
    commands: of(
      'waiting_commands',
      'Commands that wait, by what for: queue_reason of the record; that of an account counts for its whole queue, NONE until a pass has left one.',
    ),
    vcpus: of('waiting_vcpus', 'vCPUs of the commands that wait, by what for.'),
    oldestSeconds: of('waiting_oldest_seconds', 'Age of the oldest that waits, by what for.'),
  }
  const single = {
    ledgerVcpus: gauge(registry, 'running_vcpus', 'vCPUs that admitted commands hold.'),
    unmirroredSeconds: gauge(
      registry,
      'unmirrored_age_seconds',
      'Age of the oldest change that a custom resource does not show.',
    ),
    undispatchedSeconds: gauge(
      registry,
      'undispatched_age_seconds',
      'Age of the oldest command without a custom resource.',
    ),
    dispatchErrorSeconds: gauge(
      registry,
      'dispatch_error_seconds',
      'Time since the first error of the command whose custom resource the cluster has refused for longest; 0 without one.',
    ),
  }
  return (now) => {
    commands.reset()
    for (const [state, count] of Object.entries(now.byStatus)) commands.labels(state).set(count)
    for (const reason of [...queueReasons, 'NONE'] as const) {
      const present = now.waiting[reason] ?? { commands: 0, vcpus: 0, oldestSeconds: 0 }
      waiting.commands.labels(reason).set(present.commands)
      waiting.vcpus.labels(reason).set(present.vcpus)
      waiting.oldestSeconds.labels(reason).set(present.oldestSeconds)
    }
    single.ledgerVcpus.set(now.ledgerVcpus)
    single.unmirroredSeconds.set(now.unmirroredSeconds)
    single.undispatchedSeconds.set(now.undispatchedSeconds)
    single.dispatchErrorSeconds.set(now.dispatchErrorSeconds)
  }
}
