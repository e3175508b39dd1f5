import { parentPort, workerData } from 'node:worker_threads'
import { crashesOf } from './series.ts'
import type { SeriesRun } from './series.ts'
import { simulate } from './simulation.ts'

/** Its share of a series, in a thread of its own. */
const { seeds } = workerData as { readonly seeds: readonly number[] }
for (const seed of seeds) {
  const { report, ...result } = await simulate({ seed, crashes: crashesOf(seed) })
  const run: SeriesRun = { ...result, report: result.violations.length === 0 ? '' : report() }
  parentPort?.postMessage(run)
}
