import autocannon from 'autocannon'
import { median } from '../../../testing/support/statistics.ts'

/** A server, and the requests that each connection sends one after the other, again and again. */
type Arm = Required<Pick<autocannon.Options, 'url' | 'requests'>>
export type Load = Readonly<Record<'seconds' | 'rounds', number>>

/** Answers per second of each arm, medians of rounds that go forth and back; the first one is not counted. */
export async function compareArms<Name extends string>(
  arms: Readonly<Record<Name, Arm>>,
  connections: number,
  { seconds, rounds }: Load,
): Promise<Record<Name, number>> {
  const entries = Object.entries<Arm>(arms).map(([name, arm]) => ({ name, arm, rates: [0] }))
  for (let round = 0; round <= 2 * rounds; round += 1) {
    for (const { arm, rates } of round % 2 === 0 ? entries : entries.toReversed()) {
      const duration = round === 0 ? 1 : seconds
      const result = await autocannon({ ...arm, connections, duration, timeout: 30 })
      const failed = result.errors + result.non2xx
      if (failed > 0) throw new Error(`${failed} requests to ${arm.url} failed`)
      rates[round] = result['2xx'] / result.duration
    }
  }
  const medians = entries.map(({ name, rates }) => [name, median(rates.slice(1))])
  return Object.fromEntries(medians) as Record<Name, number>
}
