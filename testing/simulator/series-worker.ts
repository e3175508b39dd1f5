import { parentPort, workerData } from 'node:worker_threads'
import { optionsOf } from './series.ts'
import { simulate } from './simulation.ts'

/** One thread of a series: it takes the next seed as long as there is one. */
const { seeds, taken } = workerData as {
  readonly seeds: readonly number[]
  readonly taken: Int32Array<SharedArrayBuffer>
}
for (;;) {
  const seed = seeds[Atomics.add(taken, 0, 1)]
  if (seed === undefined) break
  parentPort?.postMessage(await simulate(optionsOf(seed)))
}
