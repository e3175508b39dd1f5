import { customResourceName } from '../../../common/domain/resource-names.ts'
import { kubectl } from '../../../e2e/installation/install.ts'
import { eventually } from '../../../e2e/steps/eventually.ts'
import { pollUntilEnd, tinyCommand } from '../cluster/measure-command.ts'
import { runnerTimes } from '../cluster/runner-times.ts'
import type { Client } from '../../../cli/client/client.ts'
import { median, medianInterval, percentile } from '../figure/statistics.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'
import type { Figure } from '../figure/figure.ts'

const stages = [
  'submission-stored',
  'assignment-answered',
  'supervisor-ready',
  'ffmpeg-ended',
  'outputs-stored',
  'result-accepted',
  'success-visible',
] as const

export interface StartTimes {
  /** From the request of the submission to SUCCESS on the event stream, without FFmpeg's own, in ms. */
  readonly overhead: number
  readonly isWarm: boolean
  /** From the request of the submission, in ms. */
  readonly stages: Readonly<Record<(typeof stages)[number], number>>
}

/** Runs the tiny command, whose runner waits or is made for it. */
export async function measureStart(
  environment: BenchEnvironment,
  client: Client,
): Promise<StartTimes> {
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

/** @param limits in ms; they hold by the interval's bad end too */
export function overheadFigures(
  name: string,
  times: readonly StartTimes[],
  limits?: { readonly p50: number; readonly p90: number },
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

export function stageFigures(name: string, times: readonly StartTimes[]): Figure[] {
  return stages.map((stage) => ({
    name: `${name}.stage.${stage}`,
    value: median(times.map((each) => each.stages[stage]).filter((value) => !Number.isNaN(value))),
    unit: 'ms',
  }))
}
