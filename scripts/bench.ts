import { parseArgs } from 'node:util'
import { b01 } from '../e2e/bench/b01.ts'
import { startBenchEnvironment, stopBenchEnvironment } from '../e2e/bench/environment.ts'
import { report } from '../e2e/bench/figure.ts'
import { clusterSettings } from '../e2e/cluster/settings.ts'

/**
 * `bench b01`: an installation of its own on a cluster of its own, measured, printed, removed.
 * `--pairs` and `--counted` make it shorter; E2E_KEEP leaves everything running for a look.
 */
const usage = 'npm run bench -- b01 [--pairs 21] [--counted 10]'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '21' },
    counted: { type: 'string', default: '10' },
  },
})
const pairs = countIn('pairs', values.pairs, 2)
const counted = countIn('counted', values.counted, 1)
if (positionals.length !== 1 || positionals[0] !== 'b01') fail('name a benchmark')

const settings = clusterSettings(process.env)
const say = (text: string): void => console.error(`[bench] ${text}`)
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A terminal and npm both pass it on; dying of the second would leave the cluster behind.
    if (interrupted) return
    interrupted = true
    say(`${signal}: stopping`)
    void stop().finally(() => process.exit(1))
  })
}
try {
  const environment = await startBenchEnvironment({ settings, say })
  try {
    console.log(report(await b01({ environment, pairs, counted, say })))
  } finally {
    await environment.kube.close()
  }
} finally {
  await stop()
}

async function stop(): Promise<void> {
  if (process.env['E2E_KEEP'] === undefined) await stopBenchEnvironment({ settings, say })
}

function countIn(name: string, text: string, least: number): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < least) {
    fail(`--${name} ${text}: a whole number from ${least} on`)
  }
  return count
}

function fail(message: string): never {
  console.error(`${message}\n${usage}`)
  process.exit(2)
}
