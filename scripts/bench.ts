import { parseArgs } from 'node:util'
import { withRig } from '../testing/bench/api/rig.ts'
import { b01 } from '../testing/bench/b01.ts'
import { b02, fullTransfer, shortTransfer } from '../testing/bench/b02.ts'
import { bodyFigures } from '../testing/bench/bodies/body-figures.ts'
import { bodyPlan, measureBodies, oneBody } from '../testing/bench/bodies/measure-bodies.ts'
import { b03 } from '../testing/bench/b03.ts'
import { b04 } from '../testing/bench/b04.ts'
import { b05 } from '../testing/bench/b05.ts'
import { b09 } from '../testing/bench/b09.ts'
import { b12 } from '../testing/bench/b12.ts'
import { b13, fullNoise, shortNoise } from '../testing/bench/b13.ts'
import { b15 } from '../testing/bench/b15.ts'
import { b14 } from '../testing/bench/b14.ts'
import { b10 } from '../testing/bench/b10.ts'
import { b18 } from '../testing/bench/b18.ts'
import { b16 } from '../testing/bench/b16.ts'
import {
  startBenchEnvironment,
  stopBenchEnvironment,
} from '../testing/bench/cluster/environment.ts'
import { b17 } from '../e2e/console/b17.ts'
import { report } from '../testing/bench/figure/figure.ts'
import { clusterSettings } from '../e2e/cluster/host/settings.ts'

/**
 * `bench b01 b09 b10 b12 b13`: an installation of its own on a cluster of its own, measured, printed,
 * removed. `--short` takes fewer rounds, rates, segments and loads; E2E_KEEP leaves everything running
 * for inspection. `b01 --body encode-30s` measures one of b01's pieces of work alone, `--rounds` times. With `--warm`,
 * runners wait for the commands of b10 and for those of b01 beside transfers. `b13`, an account beside one that does its
 * worst, takes half an hour, with `--short` 5 minutes.
 *
 * `bench b18`: the same, for sizing: work and bytes of servers, etcd and PostgreSQL, idle and for each command.
 *
 * `bench b15`: the same, with a second release whose runners reach the gateway over TLS.
 *
 * `bench b02`: the runner's transfers beside curl, the SDK and `aws s3 cp`, on loopback; a few minutes.
 * `--short` moves less.
 *
 * `bench b03 b04 b05`: the API's server and its peers on a PostgreSQL with a million rows, without a
 * cluster; the first run makes the rows, which takes some minutes. `--short` takes 100,000 and fewer
 * rounds.
 *
 * `bench b14`: the retention on a PostgreSQL of its own: half of a million rows deleted beside submissions, ten
 * turnovers of a table, a simulated year with and without it. `--short` takes a tenth.
 *
 * `bench b16`: the playlist of b10 on the runner's own processes, without a cluster, with the processor time of each; a few
 * minutes. `--short` makes fewer segments.
 *
 * `bench b17`: the console in a browser while 200 of 1,000 commands change each second, for an hour; `--minutes 10` for ten
 * minutes.
 */
const usage = `npm run bench -- [b01] [b09] [b10] [b12] [b13] [b15] [b18] [--short] [--pairs 21] [--counted 10] [--rounds 3] [--warm] [--body NAME]
npm run bench -- b02 [--short]
npm run bench -- [b03] [b04] [b05] [--short]
npm run bench -- b14 [--short]
npm run bench -- b16 [--short] [--rounds 3]
npm run bench -- b17 [--minutes 60]`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string' },
    counted: { type: 'string' },
    rounds: { type: 'string' },
    body: { type: 'string' },
    warm: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
})
const rounds = countIn('rounds', values.rounds ?? '3', 1)
const say = (text: string): void => console.error(`[bench] ${text}`)
const apiBenchmarks = ['b03', 'b04', 'b05']
const clusterBenchmarks = ['b01', 'b09', 'b10', 'b12', 'b13', 'b15', 'b18']
if (positionals.length === 0) fail('name a benchmark')
if (positionals.every((name) => apiBenchmarks.includes(name))) await runApiBenchmarks(positionals)
else if (positionals.length === 1 && positionals[0] === 'b02') {
  console.log(report(await b02(values.short ? shortTransfer : fullTransfer, say)))
} else if (positionals.length === 1 && positionals[0] === 'b14') {
  console.log(report(await b14({ short: values.short, say })))
} else if (positionals.length === 1 && positionals[0] === 'b16') {
  const how = values.short ? { segments: 100, rounds: 1 } : { segments: 1_000, rounds }
  console.log(report(await b16(how, say)))
  // The servers that it started end with this process.
  process.exit(0)
} else if (positionals.length === 1 && positionals[0] === 'b17') {
  console.log(report(await b17({ minutes: countIn('minutes', values.minutes ?? '60', 1) }, say)))
  // The PostgreSQL server that it started ends with this process.
  process.exit(0)
} else if (positionals.every((name) => clusterBenchmarks.includes(name))) {
  await runClusterBenchmarks(positionals)
} else
  fail(
    'b01, b09, b10, b12, b13, b15 and b18 need a cluster, b03, b04 and b05 none: not together; b02, b14, b16 and b17 stand alone',
  )

/** Ordered so that the state after one does not affect the next: b03 ends with a SIGKILL. */
async function runApiBenchmarks(names: readonly string[]): Promise<void> {
  const { short } = values
  const rows = short ? 100_000 : 1_000_000
  const how = short ? { seconds: 2, rounds: 1 } : { seconds: 5, rounds: 3 }
  await withRig({ rows, say }, async (rig) => {
    if (names.includes('b05')) console.log(report(await b05(rig, { rounds: short ? 20 : 60 })))
    if (names.includes('b04')) console.log(report(await b04(rig, how)))
    if (names.includes('b03')) console.log(report(await b03(rig, how)))
  })
}

async function runClusterBenchmarks(names: readonly string[]): Promise<void> {
  const { short } = values
  const pairs = countIn('pairs', values.pairs ?? (short ? '7' : '21'), 2)
  const counted = countIn('counted', values.counted ?? (short ? '4' : '10'), 1)
  const bodies = values.body === undefined ? bodyPlan(short) : oneBody(values.body, rounds)
  // Two: the second one waits while the first one's successor is made.
  const standbys = values.warm ? 2 : 0
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
    try {
      if (names.includes('b01')) {
        if (values.body === undefined) {
          const steady = short ? { rounds: 2, commands: 30 } : { rounds: 5, commands: 60 }
          console.log(report(await b01({ environment, pairs, counted, steady, say })))
        }
        console.log(report(bodyFigures(await measureBodies(environment, { ...bodies, standbys }))))
      }
      if (names.includes('b18')) {
        console.log(report(await b18(environment, { commands: short ? 30 : 200 }, say)))
      }
      if (names.includes('b09')) {
        console.log(report(await b09(environment, { rounds: short ? 2 : 7 })))
      }
      if (names.includes('b10')) {
        const how = short ? { segments: 60, rounds: 1 } : { segments: 1_000, rounds }
        console.log(report(await b10(environment, { ...how, standbys })))
      }
      if (names.includes('b13')) {
        console.log(report(await b13(environment, short ? shortNoise : fullNoise, say)))
      }
      if (names.includes('b15')) console.log(report(await b15({ environment, pairs })))
      // The last one: its runners go on waiting.
      if (names.includes('b12')) {
        const more = short ? { thumbnails: 4, inARow: 10 } : { thumbnails: 11, inARow: 50 }
        console.log(report(await b12(environment, { pairs, ...more })))
      }
    } finally {
      await environment.kube.close()
    }
  } finally {
    await stop()
  }
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
