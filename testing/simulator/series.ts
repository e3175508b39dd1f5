import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { failpointNames } from '../../common/runtime/effects.ts'
import type { FailpointName } from '../../common/runtime/effects.ts'
import { podGone, resourceVanishes, rowsFail, rowsRefused } from './faults/fault-plan.ts'
import { imageChanges, warmFaults } from './faults/warm-faults.ts'
import type { SimulationOptions, SimulationResult } from './simulation.ts'

export interface CrashPoint {
  readonly name: FailpointName
  readonly action: 'crash-before' | 'crash-after'
}

/** All but those of the runner's containers, which are a model here, and of what is not simulated. */
export const crashPoints: readonly CrashPoint[] = failpointNames
  .filter(
    (name) =>
      !/^(transfer|supervisor|accounts|migration|installation|limits|pauses|webhook|files|logs|uninstall|retention|deletion)\./.test(
        name,
      ),
  )
  .filter(
    (name) =>
      !/^api\.cancel|^gateway\.warm_runner|^hints\.listening|^operator\.(foreign|outcome_restored|history|returned|start_wait|warm_runner)|^sweep\.((uploads|files)_expired|postponed)/.test(
        name,
      ),
  )
  .flatMap((name) => [
    { name, action: 'crash-before' },
    { name, action: 'crash-after' },
  ])

const perRun = 3

/** Shares all crash points out among the runs of a series, each more than once. */
function crashesOf(seed: number): CrashPoint[] {
  return Array.from({ length: perRun }, (_, index) => {
    const point = crashPoints[(seed * perRun + index) % crashPoints.length]
    if (point === undefined) throw new Error('there are no crash points')
    return point
  })
}

/** The run of a seed within a series. */
export function optionsOf(seed: number): SimulationOptions {
  const crashes = crashesOf(seed)
  // Nothing else leads there.
  const certain = crashes.flatMap(({ name }) => leadingTo[name] ?? [])
  return { seed, crashes, certain }
}

const leadingTo: Partial<Record<FailpointName, readonly string[]>> = {
  'operator.undispatched': [resourceVanishes, resourceVanishes],
  'operator.attempt_lost': [podGone, podGone, podGone],
  'dispatch.canary_sent': [rowsFail, rowsFail],
  'dispatch.canary_written': [rowsFail, rowsFail],
  'dispatch.failure_recorded': [rowsFail, rowsFail],
  'dispatch.command_refused': [rowsRefused, rowsRefused],
}

/** Effects after which a run of the second series loses commits, in the order in which a command meets them. */
export const lossPoints = failpointNames.filter(
  (name) =>
    /^(api\.(row|replied)|dispatch\.(rows|cr_|dispatch_)|operator\.|sweep\.(objects_deleted|recorded)|gateway\.)/.test(
      name,
    ) &&
    !/^gateway\.warm_runner|^operator\.(foreign|outcome_restored|history|returned|start_wait|warm_runner|undispatched|outcome_committed)/.test(
      name,
    ),
)
/** A run meets these a few times only. */
const rareLossPoints =
  /imported|job_deleted|attempt_lost|sweep|multipart|unrecorded|forgotten|finalizer_added|waits/
const mostCommits = 24
/** Failpoints at which a crash meets what follows from the loss. */
const restorePoints = ['operator.outcome_restored', 'operator.history_compared'] as const

/** The run of a seed in which the database loses commits. */
export function forgetfulOptions(seed: number): SimulationOptions {
  const at = lossPoints[seed % lossPoints.length] ?? 'operator.status_patched'
  const round = Math.floor(seed / lossPoints.length)
  const skip = (seed * 7) % (rareLossPoints.test(at) ? 2 : 12)
  const forgets = { at, skip, commits: 1 + ((seed * 5 + round) % mostCommits) }
  const name = restorePoints[round % restorePoints.length] ?? 'operator.outcome_restored'
  const action = seed % 2 === 0 ? 'crash-before' : 'crash-after'
  const crashes = seed % 3 === 0 ? [{ name, action } as const] : []
  return { seed, forgets, crashes, faults: seed % 4 }
}

/** Crash points of warm runners, and those after them. */
export const warmPoints: readonly CrashPoint[] = (
  [
    ...failpointNames.filter((name) => /^(operator|gateway)\.warm_runner/.test(name)),
    'operator.attempt_lost',
    'operator.job_created',
    'operator.quota_released',
  ] as FailpointName[]
).flatMap((name) => [
  { name, action: 'crash-before' },
  { name, action: 'crash-after' },
])

/** The run of a seed in which some runners always wait for commands. */
export function warmOptions(seed: number): SimulationOptions {
  const crashes = [0, 1].flatMap(
    (index) => warmPoints[(2 * seed + index) % warmPoints.length] ?? [],
  )
  const names = Object.keys(warmFaults)
  const certain = [0, 1, 2].flatMap((index) => names[(3 * seed + index) % names.length] ?? [])
  const retires = crashes.some(({ name }) => name === 'operator.warm_runner_retired')
  return {
    seed,
    crashes,
    faults: seed % 6,
    warmRunners: 1 + (seed % 3),
    certain: retires ? [...certain, imageChanges] : certain,
  }
}

/** Effects after which a run loses the commit that bound a warm runner, or some before and after it. */
export const bindingLossPoints = failpointNames.filter((name) =>
  /^(operator\.warm_runner_(bound|adopted|labelled|resized)|gateway\.warm_runner_answered)$/.test(
    name,
  ),
)

/** The run of a seed in which runners wait for commands and the database loses commits. */
export function forgetfulWarmOptions(seed: number): SimulationOptions {
  const at = bindingLossPoints[seed % bindingLossPoints.length] ?? 'operator.warm_runner_bound'
  const round = Math.floor(seed / bindingLossPoints.length)
  const forgets = { at, skip: round % 4, commits: 1 + ((seed * 5 + round) % 8) }
  return { seed, forgets, faults: seed % 4, warmRunners: 1 + (seed % 3) }
}

export type Series = 'full of faults' | 'forgetful' | 'warm' | 'forgetful warm'

/** The run of a seed within a series. */
export function seriesOptions(seed: number, series: Series): SimulationOptions {
  if (series === 'warm') return warmOptions(seed)
  if (series === 'forgetful warm') return forgetfulWarmOptions(seed)
  return series === 'forgetful' ? forgetfulOptions(seed) : optionsOf(seed)
}

/** Runs of all seeds, on all processors; a seed may be there more than once. */
export async function runSeries(
  seeds: readonly number[],
  series: Series = 'full of faults',
): Promise<SimulationResult[]> {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const threads = Math.min(availableParallelism(), 4)
  const runs = await Promise.all(
    Array.from({ length: threads }, () => runThread({ seeds, taken, series })),
  )
  return runs.flat()
}

export interface ThreadData {
  readonly seeds: readonly number[]
  /** Index of the next seed, shared by all threads. */
  readonly taken: Int32Array<SharedArrayBuffer>
  readonly series: Series
}

function runThread(workerData: ThreadData): Promise<SimulationResult[]> {
  return new Promise((resolve, reject) => {
    const runs: SimulationResult[] = []
    const worker = new Worker(new URL('series-worker.ts', import.meta.url), {
      workerData,
      // Much is made and little kept: with the default, a fifth of the time is garbage collection.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    })
    worker.on('message', (run: SimulationResult) => runs.push(run))
    worker.on('error', reject)
    worker.on('exit', () => resolve(runs))
  })
}
