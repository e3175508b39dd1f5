import { median, medianInterval, percentile } from '../figure/statistics.ts'
import type { Figure } from '../figure/figure.ts'
import type { CommandTimes } from '../cluster/measure-command.ts'
import type { LatencyPair } from '../cluster/measure-latency.ts'

/** Overhead beyond the bare Job, of a service that adds nothing but what it has to. */
const allowedMs = 150

export function latencyFigures(pairs: readonly LatencyPair[]): Figure[] {
  const floors = pairs.map(({ floor }) => floor)
  const ratios = pairs.map(({ command, floor }) => command.overhead / floor)
  const { low, high } = medianInterval(ratios, Math.random)
  const middle = percentile(floors, 0.5)
  return [
    ...spread('floor', floors),
    ...spread(
      'floor-of-runner',
      pairs.map(({ floorOfRunner }) => floorOfRunner),
      { peers: floors },
    ),
    ...commandTimes.flatMap(([name, of]) =>
      spread(
        name,
        pairs.map(({ command }) => of(command)),
      ),
    ),
    ...spread(
      'overhead',
      pairs.map(({ command }) => command.overhead),
      { peers: floors, limit: middle + allowedMs },
    ),
    {
      name: 'overhead-beyond-floor-of-runner.median',
      unit: 'ms',
      limit: allowedMs,
      value: median(pairs.map(({ command, floorOfRunner }) => command.overhead - floorOfRunner)),
    },
    { name: 'overhead-to-floor.median', value: median(ratios), unit: 'ratio' },
    { name: 'overhead-to-floor.low', value: low, unit: 'ratio' },
    { name: 'overhead-to-floor.high', value: high, unit: 'ratio' },
  ]
}

const commandTimes: readonly (readonly [string, (times: CommandTimes) => number])[] = [
  ['accept', ({ accept }) => accept],
  ['containers-running', ({ running }) => running],
  ['ffmpeg-started', ({ ffmpegStarted }) => ffmpegStarted],
  ['success-visible', ({ successVisible }) => successVisible],
]

interface Beside {
  readonly peers?: readonly number[]
  /** Limit of the p50. */
  readonly limit?: number
}

function spread(name: string, values: readonly number[], { peers, limit }: Beside = {}): Figure[] {
  return ([0.5, 0.9] as const).map((part) => {
    const value = percentile(values, part)
    return {
      name: `${name}.p${part * 100}`,
      value,
      unit: 'ms',
      ...(peers === undefined ? {} : { ratio: value / percentile(peers, part) }),
      ...(limit === undefined || part !== 0.5 ? {} : { limit }),
    }
  })
}
