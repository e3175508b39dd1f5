import { parentPort, workerData } from 'node:worker_threads'
import { seriesOptions } from './series.ts'
import type { ThreadData } from './series.ts'
import { simulate } from './simulation.ts'

/** One thread of a series: it takes the next seed as long as there is one. */
const { seeds, taken, series } = workerData as ThreadData
for (;;) {
  const seed = seeds[Atomics.add(taken, 0, 1)]
  if (seed === undefined) break
  parentPort?.postMessage(await simulate(seriesOptions(seed, series)))
}
