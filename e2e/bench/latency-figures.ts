import type { Figure } from './figure.ts'
import type { CommandTimes } from './measure-command.ts'
import type { LatencyPair } from './measure-latency.ts'
import { median, medianInterval, percentile } from './statistics.ts'

/** Overhead beyond the bare Job, of a service that adds nothing but what it has to. */
const allowedMs = 150

export function latencyFigures(pairs: readonly LatencyPair[]): Figure[] {
  const floors = pairs.map(({ floor }) => floor)
  const ratios = pairs.map(({ command, floor }) => command.overhead / floor)
  const { low, high } = medianInterval(ratios, Math.random)
  return [
    ...spread(
      'floor',
      floors.map((value) => ({ value })),
    ),
    ...commandTimes.flatMap(([name, of]) =>
      spread(
        name,
        pairs.map(({ command }) => ({ value: of(command) })),
      ),
    ),
    ...spread(
      'overhead',
      pairs.map(({ command, floor }) => ({ value: command.overhead, peer: floor })),
      percentile(floors, 0.5) + allowedMs,
    ),
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

/** @param limit of the p50 */
function spread(
  name: string,
  measured: readonly { readonly value: number; readonly peer?: number }[],
  limit?: number,
): Figure[] {
  const values = measured.map(({ value }) => value)
  const peers = measured.flatMap(({ peer }) => (peer === undefined ? [] : [peer]))
  return ([0.5, 0.9] as const).map((part) => {
    const value = percentile(values, part)
    return {
      ...{ name: `${name}.p${part * 100}`, value, unit: 'ms' },
      ...(peers.length === 0 ? {} : { ratio: value / percentile(peers, part) }),
      ...(limit === undefined || part !== 0.5 ? {} : { limit }),
    }
  })
}
