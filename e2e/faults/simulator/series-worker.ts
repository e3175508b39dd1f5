import { parentPort, workerData } from 'node:worker_threads'
import { optionsOf } from './series.ts'
import { simulate } from './simulation.ts'

/** Its share of a series, in a thread of its own. */
const { seeds } = workerData as { readonly seeds: readonly number[] }
for (const seed of seeds) parentPort?.postMessage(await simulate(optionsOf(seed)))
