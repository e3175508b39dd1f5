import { expect } from 'chai'
import {
  withoutAttemptFence,
  withoutExistsAsSuccess,
  withoutOwnWrites,
  withoutRelist,
  withoutResultObjects,
  withoutTerminalRows,
  withoutUniqueWarmRunners,
  withoutUnlabelled,
  withUniqueIndexAlone,
} from './faults/sabotage.ts'
import { adoptionsHang } from './faults/warm-faults.ts'
import { simulate } from './simulation.ts'
import type { SimulationOptions } from './simulation.ts'

/**
 * A simulator that finds nothing proves nothing: with each of these guards taken out of the product it
 * has to see the damage. Faults that call for the guard are certain, all others are drawn.
 */
const guards: readonly {
  name: string
  without: Omit<SimulationOptions, 'seed'>
  damage: RegExp
}[] = [
  {
    name: 'a copy older than our own write is acted upon',
    without: { sabotage: withoutOwnWrites, certain: many('events come late', 3) },
    damage: /from a view older than its own last write|which it has created itself/,
  },
  {
    name: 'a report is accepted from any attempt',
    without: { sabotage: withoutAttemptFence, certain: many('a pod is deleted at once', 4) },
    damage: /of another attempt|by an attempt that does not hold it/,
  },
  {
    name: 'a command that has ended is treated as a live one',
    without: { sabotage: withoutTerminalRows, certain: many('a Job is deleted', 16) },
    damage: /created for a command that has ended/,
  },
  {
    name: 'a name that is taken counts as an error',
    without: {
      sabotage: withoutExistsAsSuccess,
      certain: many('the leader crashes', 4),
      crashes: many({ name: 'dispatch.cr_created', action: 'crash-after' } as const, 4),
    },
    damage: /has ended as INTERNAL_ERROR/,
  },
  {
    name: 'a success is shown without a result object, and its commit is lost',
    without: {
      sabotage: withoutResultObjects,
      forgets: { at: 'operator.status_patched', skip: 20, commits: 12 },
    },
    damage: /was shown as SUCCESS and is/,
  },
  {
    name: 'nothing is listed again after history is gone',
    without: { sabotage: withoutRelist, certain: many('history is compacted during an outage', 2) },
    damage: /I1|I6/,
  },
  {
    name: 'a warm runner may be given a second command',
    without: {
      sabotage: withoutUniqueWarmRunners,
      warmRunners: 1,
      certain: many(adoptionsHang, 6),
    },
    damage: /I10: .* was given .*, then/,
  },
  {
    name: 'the pod of a warm runner is looked for by its labels alone',
    without: {
      sabotage: withoutUnlabelled,
      warmRunners: 1,
      certain: many('a write is not answered', 3),
    },
    damage: /lost .*, which lives/,
  },
]

/** Not each run brings a guard into play. */
const runs = 40

describe('the simulator, without one guard of the product', () => {
  for (const { name, without, damage } of guards) {
    it(`notices when ${name}`, async () => {
      const found: string[] = []
      for (let seed = 1; seed <= runs && !found.some((what) => damage.test(what)); seed += 1) {
        found.push(...(await simulate({ seed, ...without })).violations)
      }
      expect(
        found.find((what) => damage.test(what)),
        found.join('\n'),
      ).to.match(damage)
    })
  }
})

describe('the simulator, with the unique index on warm runners alone', () => {
  it('finds no warm runner that is given a second command', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const certain = many(adoptionsHang, 6)
      const run = await simulate({ seed, sabotage: withUniqueIndexAlone, warmRunners: 1, certain })
      expect(run.report).to.equal('')
      expect(run.warmStarts).to.be.at.least(2)
    }
  })
})

function many<T>(what: T, times: number): T[] {
  return Array.from({ length: times }, () => what)
}
