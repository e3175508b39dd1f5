import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { failpointNames } from '../../common/runtime/effects.ts'
import type { FailpointName } from '../../common/runtime/effects.ts'
import { resourceVanishes, rowsFail, rowsRefused } from './faults/fault-plan.ts'
import type { SimulationOptions, SimulationResult } from './simulation.ts'

export interface CrashPoint {
  readonly name: FailpointName
  readonly action: 'crash-before' | 'crash-after'
}

/** All but those of the runner's containers, which are a model here, and of what is not simulated. */
export const crashPoints: readonly CrashPoint[] = failpointNames
  .filter(
    (name) =>
      !/^(transfer|supervisor|accounts|migration|limits|webhook|files|logs|uninstall)\./.test(name),
  )
  .filter(
    (name) =>
      !/^api\.cancel|^hints\.listening|^operator\.foreign|^sweep\.((uploads|files)_expired|postponed)/.test(
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
  'dispatch.canary_sent': [rowsFail, rowsFail],
  'dispatch.canary_written': [rowsFail, rowsFail],
  'dispatch.failure_recorded': [rowsFail, rowsFail],
  'dispatch.command_refused': [rowsRefused, rowsRefused],
}

/** Runs of all seeds, on all processors; a seed may be there more than once. */
export async function runSeries(seeds: readonly number[]): Promise<SimulationResult[]> {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const threads = Math.min(availableParallelism(), 4)
  const runs = await Promise.all(Array.from({ length: threads }, () => runThread(seeds, taken)))
  return runs.flat()
}

function runThread(
  seeds: readonly number[],
  taken: Int32Array<SharedArrayBuffer>,
): Promise<SimulationResult[]> {
  return new Promise((resolve, reject) => {
    const runs: SimulationResult[] = []
    const worker = new Worker(new URL('series-worker.ts', import.meta.url), {
      workerData: { seeds, taken },
      // Much is made and little kept: with the default, a fifth of the time is garbage collection.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    })
    worker.on('message', (run: SimulationResult) => runs.push(run))
    worker.on('error', reject)
    worker.on('exit', () => resolve(runs))
  })
}
