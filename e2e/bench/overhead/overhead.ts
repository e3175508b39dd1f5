import { customResourceName } from '../../../common/domain/resource-names.ts'
import { eventually } from '../../steps/eventually.ts'
import { newAccount } from '../../steps/new-account.ts'
import { podOf, waitingRunners } from '../../steps/server-pods.ts'
import { planWith } from '../../../testing/support/plans.ts'
import { idleMachine } from '../cluster/idle-machine.ts'
import { runCommand, tinyCommand } from '../cluster/tiny-command.ts'
import { median, medianInterval, percentile } from '../../../testing/support/statistics.ts'
import { createBareJobs } from './bare-job.ts'
import { startResidentServer } from './resident-server.ts'
import type { Client } from '../../../cli/client/client.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'
import type { Figure } from '../figure/figure.ts'

/** The second one waits while the first one's successor is made. */
const warmRunners = 2

/**
 * A tiny command on a runner that waits, on a Job of its own, beside a bare Job and a server that isolates nothing, forth
 * and back: the seconds from the submission to SUCCESS without those of FFmpeg. Then commands back to back, and memory.
 */
export async function overhead(environment: BenchEnvironment, short: boolean): Promise<Figure[]> {
  const { client, say } = environment
  const pairs = short ? 7 : 21
  const inARow = short ? 10 : 50
  await environment.reconfigure({
    runner: { warm: { min: warmRunners, max: warmRunners } },
    plans: { cold: planWith({ vcpuTotal: null, maxRunSeconds: 300, warm: false }) },
  })
  const { client: coldClient } = await newAccount(environment, 'cold')
  const resident = await startResidentServer(environment)
  const bareJobs = await createBareJobs(environment)
  const warm: number[] = []
  const cold: number[] = []
  const bare: number[] = []
  const bound: number[] = []
  const arms = [
    async () => warm.push(await warmOverhead(environment)),
    async () => cold.push((await runCommand(coldClient, tinyCommand)).overheadMs),
    async () => bare.push(await bareJobs.measure()),
    async () => bound.push(await resident.measure()),
  ]
  for (const arm of arms) await arm()
  for (const times of [warm, cold, bare, bound]) times.pop()
  for (let pair = 0; pair < pairs; pair += 1) {
    say(`pair ${pair + 1} of ${pairs} (usually 10 to 20 s)`)
    for (const arm of pair % 2 === 0 ? arms : arms.toReversed()) {
      await untilFull(environment)
      await idleMachine()
      await arm()
    }
  }
  await resident.close()
  await bareJobs.close()
  say(`${inARow} commands back to back, warm and cold (usually 1 s each)`)
  const hits = warm.filter((ms) => !Number.isNaN(ms))
  const { high } = medianInterval(hits, Math.random)
  return [
    {
      name: 'commands that found a warm runner',
      value: hits.length,
      unit: 'count',
      bar: { atLeast: pairs },
    },
    ...spread('warm runner', hits, { peer: median(bound), p50: 100, p90: 160 }),
    { name: 'warm runner, p50, upper end of 95 %', value: high, unit: 'ms', bar: { atMost: 100 } },
    ...spread('Job of its own', cold, { peer: median(bare), p50: median(bare) + 150 }),
    ...spread('bare Job', bare),
    ...spread('resident server', bound),
    await backToBack('warm runners', client, inARow),
    await backToBack('Jobs of their own', coldClient, inARow),
    await memory(environment, 'api-server', 110),
    await memory(environment, 'operator', 130),
  ]
}

/** NaN where no runner was waiting. */
async function warmOverhead({ client, kube, installed }: BenchEnvironment): Promise<number> {
  const { commandId, overheadMs } = await runCommand(client, tinyCommand)
  const status = await eventually('the resource shows the end', async () => {
    const resource = await kube.commands.get(installed.namespace, customResourceName(commandId))
    return resource?.status?.state === 'SUCCESS' && resource.status
  })
  return status.start === 'Warm' ? overheadMs : Number.NaN
}

async function untilFull(environment: BenchEnvironment): Promise<void> {
  await eventually(
    'all runners wait',
    async () => (await waitingRunners(environment)) >= warmRunners,
  )
}

function spread(
  name: string,
  values: readonly number[],
  { peer, p50, p90 }: { peer?: number; p50?: number; p90?: number } = {},
): Figure[] {
  const bar = (atMost: number | undefined) => (atMost === undefined ? {} : { bar: { atMost } })
  return [
    {
      name: `${name}, p50`,
      value: median(values),
      unit: 'ms',
      ...bar(p50),
      ...(peer === undefined ? {} : { peer }),
    },
    { name: `${name}, p90`, value: percentile(values, 0.9), unit: 'ms', ...bar(p90) },
  ]
}

/** Commands a second where each is submitted when the one before has ended. */
async function backToBack(name: string, client: Client, count: number): Promise<Figure> {
  const begun = performance.now()
  for (let index = 0; index < count; index += 1) await runCommand(client, tinyCommand)
  const value = count / ((performance.now() - begun) / 1_000)
  return { name: `${name}, back to back`, value, unit: 'per second' }
}

/** Resident megabytes of a server, shared pages included. The image has no shell and no cat. */
async function memory(
  environment: BenchEnvironment,
  server: string,
  atMost: number,
): Promise<Figure> {
  const print = `process.stdout.write(require('node:fs').readFileSync('/proc/1/status', 'utf8'))`
  const pod = await podOf(environment, server)
  const status = await environment.kubectl('exec', pod, '--', '/usr/local/bin/node', '-e', print)
  const value = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
  return { name: `memory of ${server}`, value, unit: 'MB', bar: { atMost } }
}
