import { parseArgs } from 'node:util'
import { clusterSettings } from '../local-cluster/host/settings.ts'
import { api } from '../e2e/bench/api/api.ts'
import { startBenchEnvironment, stopBenchEnvironment } from '../e2e/bench/cluster/environment.ts'
import { machineLoad, report } from '../e2e/bench/figure/figure.ts'
import { neighbour } from '../e2e/bench/neighbour/neighbour.ts'
import { overhead } from '../e2e/bench/overhead/overhead.ts'
import { segments } from '../e2e/bench/segments/segments.ts'
import { transfers } from '../e2e/bench/transfers/transfers.ts'
import type { BenchEnvironment } from '../e2e/bench/cluster/environment.ts'
import type { Figure } from '../e2e/bench/figure/figure.ts'

const usage = `npm run bench -- NAME... [--short]

overhead   a tiny command on a waiting runner and on a Job of its own, beside a bare Job: on a cluster of its own
segments   a playlist and a remux, beside scripts: on a cluster of its own
neighbour  an account beside one that does its worst, half an hour: on a cluster of its own
transfers  the runner's transfers beside curl, the SDK and aws s3 cp
api        the API server beside Express hello and bare http, on a PostgreSQL with a million rows

--short    fewer rounds, rows, segments and loads
E2E_KEEP leaves the cluster running; E2E_INSTANCE names another one.`

type Bench = (short: boolean) => Promise<Figure[]>
const say = (text: string): void => console.error(`[bench] ${text}`)
const alone: Readonly<Record<string, Bench>> = {
  transfers: (short) => transfers(short, say),
  api: (short) => api(short, say),
}
const onCluster: Readonly<
  Record<string, (at: BenchEnvironment, short: boolean) => Promise<Figure[]>>
> = {
  segments,
  neighbour,
  // The last one: its runners go on waiting.
  overhead,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
})
const unknown = positionals.find((name) => !(name in alone) && !(name in onCluster))
if (positionals.length === 0 || unknown !== undefined) {
  console.error(unknown === undefined ? usage : `'${unknown}' is not a benchmark\n\n${usage}`)
  process.exit(2)
}
const isWanted = ([name]: readonly [string, unknown]): boolean => positionals.includes(name)
for (const [name, bench] of Object.entries(alone).filter(isWanted)) await print(name, bench)
const wanted = Object.entries(onCluster).filter(isWanted)
if (wanted.length > 0) await runOnCluster()
// Servers that a benchmark started end with this process.
process.exit(0)

async function print(name: string, bench: Bench): Promise<void> {
  const before = machineLoad()
  const figures = await bench(values.short)
  console.log(`${name}: ${before} before, ${machineLoad()} after\n${report(figures)}\n`)
}

async function runOnCluster(): Promise<void> {
  const settings = clusterSettings(process.env)
  const stop = async (): Promise<void> => {
    if (process.env['E2E_KEEP'] === undefined) await stopBenchEnvironment({ settings, say })
  }
  let interrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The terminal and npm both send the signal; exiting at the second would leave the cluster running.
      if (interrupted) return
      interrupted = true
      say(`${signal}: stopping`)
      void stop().finally(() => process.exit(1))
    })
  }
  try {
    const environment = await startBenchEnvironment({ settings, say })
    for (const [name, bench] of wanted) await print(name, (short) => bench(environment, short))
    await environment.kube.close()
  } finally {
    await stop()
  }
}
