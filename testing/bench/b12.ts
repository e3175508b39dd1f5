import { idleMachine } from './cluster/idle-machine.ts'
import { runSubmission, tinyCommand } from './cluster/measure-command.ts'
import { untilFull } from './cluster/until-full.ts'
import { loadFigure } from './figure/figure.ts'
import { median, percentile } from './figure/statistics.ts'
import { startResidentServer } from './latency/resident-server.ts'
import { measureStart, overheadFigures, stageFigures } from './warm/measure-start.ts'
import { keepWaiting } from './warm/pool-settings.ts'
import { prepareThumbnails } from './warm/thumbnail.ts'
import type { Client } from '../../cli/client/client.ts'
import type { BenchEnvironment } from './cluster/environment.ts'
import type { Figure } from './figure/figure.ts'
import type { StartTimes } from './warm/measure-start.ts'

export interface WarmPlan {
  /** Pairs of a warm and a cold command, the first of which is dropped. */
  readonly pairs: number
  /** Pictures of each kind, the first of which is dropped. */
  readonly thumbnails: number
  /** Commands back to back. */
  readonly inARow: number
}

const standbys = 2

/**
 * A tiny command on a runner that waits, beside the same on a Job of its own and beside a server that is
 * there already and isolates nothing: in the order A B C, then C B A. Then pictures of a file of
 * 30 MB, and commands back to back.
 */
export async function b12(environment: BenchEnvironment, plan: WarmPlan): Promise<Figure[]> {
  const { say } = environment
  const { coldClient } = await keepWaiting(environment, standbys)
  const loadBefore = loadFigure('before')
  const starts = await measureStarts(environment, coldClient, plan.pairs)
  const thumbnails = await measureThumbnails(environment, coldClient, plan.thumbnails)
  say(`${plan.inARow} commands back to back, warm and cold (usually 1 s each)`)
  return [
    loadBefore,
    ...starts,
    ...thumbnails,
    await rate('warm', environment.client, plan.inARow),
    await rate('cold', coldClient, plan.inARow),
    loadFigure('after'),
  ]
}

async function measureStarts(
  environment: BenchEnvironment,
  coldClient: Client,
  pairs: number,
): Promise<Figure[]> {
  const { client, say } = environment
  const warm: StartTimes[] = []
  const cold: StartTimes[] = []
  const bound: number[] = []
  const refills: number[] = []
  const resident = await startResidentServer(environment)
  try {
    for (let pair = 0; pair < pairs; pair += 1) {
      say(`pair ${pair + 1} of ${pairs} (usually 5 to 15 s)`)
      const arms = [
        async () => {
          refills.push(await atRest(environment))
          warm.push(await measureStart(environment, client))
        },
        async () => {
          await atRest(environment)
          cold.push(await measureStart(environment, coldClient))
        },
        async () => void bound.push(await resident.measure()),
      ]
      for (const arm of pair % 2 === 0 ? arms : arms.toReversed()) await arm()
    }
  } finally {
    await resident.close()
  }
  const hits = warm.slice(1).filter(({ isWarm }) => isWarm)
  return [
    { name: 'warm.hits', value: hits.length / (pairs - 1), unit: 'ratio' },
    ...overheadFigures('warm', hits, { p50: 100, p90: 160 }),
    ...overheadFigures('cold', cold.slice(1)),
    { name: 'resident.p50', value: median(bound.slice(1)), unit: 'ms' },
    ...stageFigures('warm', hits),
    ...stageFigures('cold', cold.slice(1)),
    { name: 'refill.p50', value: median(refills.slice(2)), unit: 'ms' },
  ]
}

/** From the submission to SUCCESS, FFmpeg's own time included. */
async function measureThumbnails(
  environment: BenchEnvironment,
  coldClient: Client,
  count: number,
): Promise<Figure[]> {
  const { client, say } = environment
  const thumbnails = await prepareThumbnails(environment)
  const { first, afterSeek } = thumbnails
  const arms = [
    { client, submission: first, times: [] as number[] },
    { client, submission: afterSeek, times: [] as number[] },
    { client: coldClient, submission: first, times: [] as number[] },
  ] as const
  try {
    for (let index = 0; index < count; index += 1) {
      say(`pictures ${index + 1} of ${count} (usually 10 to 20 s)`)
      for (const arm of arms) {
        await atRest(environment)
        arm.times.push((await runSubmission(arm.client, arm.submission)).totalMs)
      }
    }
  } finally {
    await thumbnails.close()
  }
  const [warm = [], sought = [], cold = []] = arms.map(({ times }) => times.slice(1))
  return [
    { name: 'thumbnail.warm.p50', value: median(warm), unit: 'ms', limit: 400 },
    { name: 'thumbnail.warm.p90', value: percentile(warm, 0.9), unit: 'ms' },
    { name: 'thumbnail.warm.after-seek.p50', value: median(sought), unit: 'ms' },
    { name: 'thumbnail.cold.p50', value: median(cold), unit: 'ms' },
  ]
}

/** All runners of the pool wait, and the machine does nothing. @returns how long the former took, in ms */
async function atRest(environment: BenchEnvironment): Promise<number> {
  const refill = await untilFull(environment, standbys)
  await idleMachine()
  return refill
}

/** Commands a second where each is submitted when the one before has ended. */
async function rate(name: string, client: Client, count: number): Promise<Figure> {
  const begun = performance.now()
  for (let index = 0; index < count; index += 1) await runSubmission(client, tinyCommand)
  const seconds = (performance.now() - begun) / 1_000
  return { name: `${name}.back-to-back`, value: count / seconds, unit: 'per-second' }
}
