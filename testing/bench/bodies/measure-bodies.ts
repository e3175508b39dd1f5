import { tinyCommand, runSubmission } from '../cluster/measure-command.ts'
import { milliseconds } from './host-peer.ts'
import {
  makeBodySamples,
  sizeOf,
  bareArguments,
  scriptLines,
  submissionOf,
  longWorkloads,
  shortWorkloads,
} from './workloads.ts'
import { idleMachine } from '../cluster/idle-machine.ts'
import { untilFull } from '../cluster/until-full.ts'
import { withStorageRig } from './storage-rig.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'
import type { Workload } from './workloads.ts'
import type { OverlapForm, StorageRig } from './storage-rig.ts'

/** One workload at one rate, in one visit of one form; all in ms. */
export interface BodyRun {
  readonly workload: Workload
  /** MB/s of each direction. */
  readonly rate: number
  readonly form: OverlapForm
  /** From the submission to SUCCESS. */
  readonly total: number
  readonly ffmpeg: number
  /** Duration of the script that fetches, runs and stores, one after the other. */
  readonly script: number
  /** FFmpeg alone on local files. */
  readonly bare: number
  /** Transfers that no order of things can undercut. */
  readonly download: number
  readonly upload: number
  /** The total of a command that moves next to nothing. */
  readonly start: number
}

export interface BodyPlan {
  readonly workloads: readonly Workload[]
  readonly rates: readonly number[]
  /** In the order A B B A, so that changes over the minutes affect all forms alike. */
  readonly forms: readonly OverlapForm[]
  /** Runners that wait for the commands, all of them before each; 0: each command gets a Job of its own. */
  readonly standbys: number
}

/** Every peer runs beside the service in the same minute. */
export function measureBodies(
  environment: BenchEnvironment,
  { workloads, rates, forms, standbys }: BodyPlan,
): Promise<BodyRun[]> {
  return withStorageRig(environment, async (rig) => {
    environment.say('making two inputs of 30 MB (usually 10 to 40 s)')
    await makeBodySamples(rig.host)
    const runs: BodyRun[] = []
    for (const form of forms) {
      await rig.overlap(form, standbys)
      rig.cap(null)
      // The first command after a change finds everything cold.
      await runSubmission(environment.client, tinyCommand)
      await untilFull(environment, standbys)
      const { totalMs: start } = await runSubmission(environment.client, tinyCommand)
      for (const rate of rates) {
        rig.cap(rate)
        for (const workload of workloads) {
          const { name } = workload
          environment.say(`${name}, ${rate} MB/s, overlaps ${JSON.stringify(form)} (up to 90 s)`)
          await untilFull(environment, standbys)
          await idleMachine()
          runs.push(await runOnce(environment, rig, { workload, rate, form, start }))
        }
      }
    }
    return runs
  })
}

async function runOnce(
  { client }: BenchEnvironment,
  { host, origin }: StorageRig,
  given: Pick<BodyRun, 'workload' | 'rate' | 'form' | 'start'>,
): Promise<BodyRun> {
  const { workload, rate } = given
  const url = origin.url(workload.input)
  const { totalMs, ffmpegMs } = await runSubmission(client, submissionOf(workload, url))
  const script = await milliseconds(() => host.script(scriptLines(workload, url)))
  const bare = await milliseconds(() => host.ffmpeg(bareArguments(workload)))
  const bytesPerMs = rate * 1_000
  return {
    ...given,
    total: totalMs,
    ffmpeg: ffmpegMs,
    script,
    bare,
    download: (await sizeOf(host, workload.input)) / bytesPerMs,
    upload: (await sizeOf(host, workload.output)) / bytesPerMs,
  }
}

const overlapped = { inputs: true, outputs: true }
const inSequence = { inputs: false, outputs: false }
const onlyInputs = { inputs: true, outputs: false }
const onlyOutputs = { inputs: false, outputs: true }

/**
 * One piece of work, with all overlaps.
 * @throws where no work has this name
 */
export function oneBody(name: string, visits: number): Omit<BodyPlan, 'standbys'> {
  const workloads = longWorkloads.filter((workload) => workload.name === name)
  if (workloads.length === 0) {
    const names = longWorkloads.map((workload) => workload.name).join(', ')
    throw new Error(`--body must be one of ${names}; got '${name}'`)
  }
  const forms = Array.from({ length: visits }, () => overlapped)
  return { workloads, rates: [6, 60], forms }
}

/** Short: a few minutes, one visit of each form. */
export function bodyPlan(short: boolean): Omit<BodyPlan, 'standbys'> {
  const there = [overlapped, onlyInputs, onlyOutputs, inSequence]
  return {
    workloads: short ? shortWorkloads : longWorkloads,
    rates: [6, 60],
    forms: short ? [overlapped, inSequence] : [...there, ...there.toReversed(), ...there],
  }
}
