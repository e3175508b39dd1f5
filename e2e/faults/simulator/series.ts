import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { FailpointName } from '../../../common/effects.ts'
import { simulatedFailpoints } from './simulation.ts'
import type { SimulationResult } from './simulation.ts'

export interface CrashPoint {
  readonly name: FailpointName
  readonly action: 'crash-before' | 'crash-after'
}

/** A run as it is told to another thread. */
export interface SeriesRun extends Omit<SimulationResult, 'report'> {
  /** Seed and end of the trace; empty where all was well. */
  readonly report: string
}

export const crashPoints: readonly CrashPoint[] = simulatedFailpoints.flatMap((name) => [
  { name, action: 'crash-before' },
  { name, action: 'crash-after' },
])

const perRun = 2

/** Shares all crash points out among the runs of a series, each more than once. */
export function crashesOf(seed: number): CrashPoint[] {
  return Array.from({ length: perRun }, (_, index) => {
    const point = crashPoints[(seed * perRun + index) % crashPoints.length]
    if (point === undefined) throw new Error('there are no crash points')
    return point
  })
}

/** Runs of the seeds from 1 on, on all processors. */
export async function runSeries(count: number): Promise<SeriesRun[]> {
  const seeds = Array.from({ length: count }, (_, index) => index + 1)
  const threads = Math.min(availableParallelism(), 4)
  const shares = Array.from({ length: threads }, (_, thread) =>
    seeds.filter((seed) => seed % threads === thread),
  )
  const runs = await Promise.all(shares.map(runShare))
  return runs.flat().toSorted((one, other) => one.seed - other.seed)
}

function runShare(seeds: readonly number[]): Promise<SeriesRun[]> {
  return new Promise((resolve, reject) => {
    const runs: SeriesRun[] = []
    const worker = new Worker(new URL('series-worker.ts', import.meta.url), {
      workerData: { seeds },
    })
    worker.on('message', (run: SeriesRun) => runs.push(run))
    worker.on('error', reject)
    worker.on('exit', () => resolve(runs))
  })
}
