import { load } from './load.ts'
import type { Load, Measured } from './load.ts'
import { median } from '../figure/statistics.ts'

/** One of the servers that are compared, and the requests to it. */
export interface Arm {
  readonly name: string
  readonly url: string
  readonly requests: Load['requests']
}

/** A warm-up of each and then all of them forth and back, so often; the medians of each arm. */
export async function compareArms(
  arms: readonly Arm[],
  how: { readonly connections: number; readonly seconds: number; readonly rounds: number },
): Promise<Map<string, Measured>> {
  const { connections, seconds, rounds } = how
  const measured = new Map<string, Measured[]>(arms.map(({ name }) => [name, []]))
  for (const arm of arms) await load({ ...arm, connections, seconds: 1 })
  for (let round = 0; round < rounds; round += 1) {
    for (const arm of [...arms, ...arms.toReversed()]) {
      measured.get(arm.name)?.push(await load({ ...arm, connections, seconds }))
    }
  }
  return new Map([...measured].map(([name, all]) => [name, medians(all)]))
}

function medians(all: readonly Measured[]): Measured {
  const of = (key: keyof Measured): number => median(all.map((one) => one[key]))
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    answered: all.reduce((sum, { answered }) => sum + answered, 0),
  }
}
