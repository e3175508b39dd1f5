import { median } from '../figure/statistics.ts'
import type { Figure } from '../figure/figure.ts'
import type { BodyRun } from './measure-bodies.ts'
import type { SinkPut } from './capped-sink.ts'

/** From this length on, the start is to be small beside the body. */
const longBodyMs = 5_000
const limitAim = 1.05

/** Medians by workload, rate and form. */
export function bodyFigures(runs: readonly BodyRun[]): Figure[] {
  const peers = groups(runs, workAndRate).flatMap(([name, group]) => [
    figure(`${name}.bare-ffmpeg`, middle(group, 'bare')),
    figure(`${name}.limit`, limitOf(group)),
    figure(`${name}.script`, middle(group, 'script'), {
      ratio: middle(group, 'script') / limitOf(group),
    }),
  ])
  const own = groups(runs, (run) => `${workAndRate(run)}.${formName(run)}`).flatMap(
    ([name, group]) => ownFigures(name, group),
  )
  return [...peers, ...own]
}

/** `total`: ratio to the script. `to-limit`: total / max(D, E, U), and the same without the start. */
function ownFigures(name: string, group: readonly BodyRun[]): Figure[] {
  const [first] = group
  const total = middle(group, 'total')
  const script = middle(group, 'script')
  const limit = limitOf(group)
  const overlapped = first?.form.inputs === true && first.form.outputs
  const aim = first?.workload.scriptAim
  // If FFmpeg and the start outweigh the transfers, no overlap can halve anything.
  const transfersRule = first !== undefined && limit >= longBodyMs
  return [
    figure(`${name}.total`, total, {
      ratio: total / script,
      ...(overlapped && transfersRule && aim !== undefined ? { limit: aim * script } : {}),
    }),
    figure(`${name}.beside-ffmpeg`, total - middle(group, 'ffmpeg')),
    { name: `${name}.to-limit`, value: total / limit, unit: 'ratio' },
    {
      name: `${name}.to-limit-without-start`,
      unit: 'ratio',
      value: (total - middle(group, 'start')) / limit,
      ...(overlapped && transfersRule ? { limit: limitAim } : {}),
    },
  ]
}

function limitOf(group: readonly BodyRun[]): number {
  return Math.max(middle(group, 'download'), middle(group, 'bare'), middle(group, 'upload'))
}

type Times = 'bare' | 'script' | 'total' | 'ffmpeg' | 'download' | 'upload' | 'start'

function middle(group: readonly BodyRun[], of: Times): number {
  return median(group.map((run) => run[of]))
}

function workAndRate({ workload, rate }: BodyRun): string {
  return `${workload.name}.${rate}MB/s`
}

function formName({ form: { inputs, outputs } }: BodyRun): string {
  if (inputs && outputs) return 'overlapped'
  if (inputs) return 'inputs-overlapped'
  return outputs ? 'outputs-overlapped' : 'in-sequence'
}

function groups(
  runs: readonly BodyRun[],
  nameOf: (run: BodyRun) => string,
): [string, readonly BodyRun[]][] {
  const found = new Map<string, BodyRun[]>()
  for (const run of runs) found.set(nameOf(run), [...(found.get(nameOf(run)) ?? []), run])
  return [...found]
}

function figure(name: string, value: number, more: Partial<Figure> = {}): Figure {
  return { name, value, unit: 'ms', ...more }
}

/**
 * A player that finds the manifest finds everything it names.
 * @throws where the manifest was on its way before the last segment had arrived, or segments are missing
 */
export function assertManifestLast(puts: readonly SinkPut[], segments: number): void {
  const manifests = puts.filter(({ path }) => path.endsWith('.m3u8'))
  const parts = puts.filter(({ path }) => path.endsWith('.ts'))
  const [manifest] = manifests
  if (manifest === undefined || manifests.length > 1 || parts.length < segments * 0.9) {
    const counts = `${manifests.length} manifests and ${parts.length} segments`
    throw new Error(`the sink saw ${counts}, expected 1 and about ${segments}`)
  }
  const last = Math.max(...parts.map(({ endedMs }) => endedMs))
  if (manifest.startedMs < last) {
    const early = (last - manifest.startedMs).toFixed(0)
    throw new Error(`the manifest was stored ${early} ms before the last segment had arrived`)
  }
}
