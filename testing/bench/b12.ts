import { randomBytes } from 'node:crypto'
import { createClient } from '../../cli/client/client.ts'
import { customResourceName } from '../../common/domain/resource-names.ts'
import { kubectl } from '../../e2e/installation/install.ts'
import { eventually } from '../../e2e/steps/eventually.ts'
import { idleMachine } from './cluster/idle-machine.ts'
import { pollUntilEnd, tinyCommand } from './cluster/measure-command.ts'
import { runnerTimes } from './cluster/runner-times.ts'
import { loadFigure } from './figure/figure.ts'
import { median, medianInterval, percentile } from './figure/statistics.ts'
import { startResidentServer } from './latency/resident-server.ts'
import type { Client } from '../../cli/client/client.ts'
import type { BenchEnvironment } from './cluster/environment.ts'
import type { Figure } from './figure/figure.ts'

interface Options {
  /** Of a warm and a cold command, the first of which is dropped. */
  readonly pairs: number
  /** Commands back to back. */
  readonly inARow: number
}

const standbys = 2
const stages = [
  'submission-stored',
  'assignment-answered',
  'supervisor-ready',
  'ffmpeg-ended',
  'outputs-stored',
  'result-accepted',
  'success-visible',
] as const

interface Times {
  /** From the request of the submission to SUCCESS on the event stream, without FFmpeg's own, in ms. */
  readonly overhead: number
  readonly isWarm: boolean
  readonly stages: Readonly<Record<(typeof stages)[number], number>>
}

/**
 * A tiny command on a runner that waits, beside the same on a Job of its own and beside a server that is
 * there already and isolates nothing: in the order A B C, then C B A.
 */
export async function b12(environment: BenchEnvironment, options: Options): Promise<Figure[]> {
  const { say } = environment
  const cold = { ...(await planOf(environment)), warm: false }
  await environment.reconfigure({
    runner: { warm: { min: standbys, max: standbys } },
    plans: { cold },
  })
  const coldClient = await clientOf(environment, 'cold')
  const resident = await startResidentServer(environment)
  const loadBefore = loadFigure('before')
  try {
    const warm: Times[] = []
    const others: Times[] = []
    const bound: number[] = []
    const refills: number[] = []
    for (let pair = 0; pair < options.pairs; pair += 1) {
      say(`pair ${pair + 1} of ${options.pairs} (usually 8 to 15 s)`)
      const arms = [
        async () => {
          refills.push(await untilFull(environment))
          await idleMachine()
          warm.push(await measure(environment, environment.client))
        },
        async () => {
          await untilFull(environment)
          await idleMachine()
          others.push(await measure(environment, coldClient))
        },
        async () => void bound.push(await resident.measure()),
      ]
      for (const arm of pair % 2 === 0 ? arms : arms.toReversed()) await arm()
    }
    const hits = warm.slice(1).filter(({ isWarm }) => isWarm)
    return [
      loadBefore,
      { name: 'warm.hits', value: hits.length / (options.pairs - 1), unit: 'ratio' },
      ...overheads('warm', hits, { p50: 100, p90: 160 }),
      ...overheads('cold', others.slice(1)),
      { name: 'resident.p50', value: median(bound.slice(1)), unit: 'ms' },
      ...stageFigures('warm', hits),
      ...stageFigures('cold', others.slice(1)),
      { name: 'refill.p50', value: median(refills.slice(2)), unit: 'ms' },
      await rate('warm', environment.client, options.inARow),
      await rate('cold', coldClient, options.inARow),
      loadFigure('after'),
    ]
  } finally {
    await resident.close()
  }
}

/** How long it took until all runners of the pool wait, in ms. */
async function untilFull(environment: BenchEnvironment): Promise<number> {
  const begun = performance.now()
  await eventually('all runners wait', async () => (await waiting(environment)) >= standbys)
  return performance.now() - begun
}

async function waiting({ cluster, namespace }: BenchEnvironment): Promise<number> {
  const selector = 'app.kubernetes.io/component=operator'
  const name = 'jsonpath={.items[0].metadata.name}'
  const pod = await kubectl(cluster, ['-n', namespace, 'get', 'pods', '-l', selector, '-o', name])
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}:9090/proxy/metrics`
  const metrics = await kubectl(cluster, ['get', '--raw', path])
  const value = /^cloudffmpeg_warm_standbys\{[^}]*state="waiting"[^}]*\} (\d+)$/m.exec(metrics)?.[1]
  return Number(value ?? 0)
}

async function measure(environment: BenchEnvironment, client: Client): Promise<Times> {
  const { cluster, kube, namespace } = environment
  const begun = performance.now()
  const { command_id } = await client.submit(tinyCommand)
  const accepted = performance.now() - begun
  for await (const { status, error_status } of client.getCommandEvents(command_id)) {
    if (status === 'FAILED') throw new Error(`command ${command_id}: ${error_status ?? ''}`)
  }
  const visible = performance.now() - begun
  const record = await pollUntilEnd(client, command_id)
  const ffmpegMs = (record.ffmpeg_command_run_seconds ?? Number.NaN) * 1_000
  const status = await eventually('the resource shows the end', async () => {
    const resource = await kube.commands.get(namespace, customResourceName(command_id))
    return resource?.status?.state === 'SUCCESS' && resource.status
  })
  const log = ['-n', namespace, 'logs', `job/${status.jobName ?? ''}`, '-c', 'transfer']
  const runner = runnerTimes(await kubectl(cluster, log))
  const at = (message: string): number => runner.at(message) - performance.timeOrigin - begun
  return {
    overhead: visible - ffmpegMs,
    isWarm: status.start === 'Warm',
    stages: {
      'submission-stored': accepted,
      'assignment-answered': at('assigned'),
      'supervisor-ready': at('ready to run'),
      'ffmpeg-ended': at('ready to run') + ffmpegMs,
      'outputs-stored': at('reports its result'),
      'result-accepted': at('reported'),
      'success-visible': visible,
    },
  }
}

function overheads(
  name: string,
  times: readonly Times[],
  limits?: { p50: number; p90: number },
): Figure[] {
  const values = times.map(({ overhead }) => overhead)
  const { high } = medianInterval(values, Math.random)
  const bound = (part: 'p50' | 'p90') => (limits === undefined ? {} : { limit: limits[part] })
  return [
    { name: `${name}.p50`, value: median(values), unit: 'ms', ...bound('p50') },
    { name: `${name}.p50.high`, value: high, unit: 'ms', ...bound('p50') },
    { name: `${name}.p90`, value: percentile(values, 0.9), unit: 'ms', ...bound('p90') },
    { name: `${name}.p99`, value: percentile(values, 0.99), unit: 'ms' },
  ]
}

function stageFigures(name: string, times: readonly Times[]): Figure[] {
  return stages.map((stage) => ({
    name: `${name}.stage.${stage}`,
    value: median(times.map((each) => each.stages[stage]).filter((value) => !Number.isNaN(value))),
    unit: 'ms',
  }))
}

/** Commands a second where each is submitted when the one before has ended. */
async function rate(name: string, client: Client, count: number): Promise<Figure> {
  const begun = performance.now()
  for (let index = 0; index < count; index += 1) {
    const { command_id } = await client.submit(tinyCommand)
    for await (const { status } of client.getCommandEvents(command_id)) {
      if (status === 'FAILED') throw new Error(`command ${command_id} has failed`)
    }
  }
  const seconds = (performance.now() - begun) / 1_000
  return { name: `${name}.back-to-back`, value: count / seconds, unit: 'per-second' }
}

/** The plan of the installation's own account, as the chart has it. */
async function planOf({ cluster, namespace }: BenchEnvironment): Promise<Record<string, unknown>> {
  const path = `jsonpath={.spec.template.spec.containers[0].env[?(@.name=="CLOUD_FFMPEG_PLANS")].value}`
  const deployment = 'deploy/cloud-ffmpeg-operator'
  const text = await kubectl(cluster, ['-n', namespace, 'get', deployment, '-o', path])
  const plans = JSON.parse(text) as Record<string, Record<string, unknown>>
  const { unlimited } = plans
  if (unlimited === undefined) throw new Error('the chart has no plan unlimited')
  return unlimited
}

async function clientOf({ cluster, namespace }: BenchEnvironment, plan: string): Promise<Client> {
  const admin = async (...args: string[]): Promise<string> => {
    const program = ['exec', 'deploy/cloud-ffmpeg-api-server', '--', 'node', 'main.ts', 'admin']
    return kubectl(cluster, ['-n', namespace, ...program, ...args, '--json'])
  }
  const name = `${plan}-${randomBytes(4).toString('hex')}`
  await admin('accounts', 'create', name, '--plan', plan)
  const made = JSON.parse(await admin('keys', 'create', name)) as { api_key: string }
  return createClient({ url: cluster.publishedUrl, apiKey: made.api_key })
}
