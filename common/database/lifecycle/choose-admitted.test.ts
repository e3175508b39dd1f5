import { expect } from 'chai'
import fc from 'fast-check'
import { chooseAdmitted } from './choose-admitted.ts'

const room = {
  vcpuInUse: 0,
  vcpuLimit: 8,
  passSeconds: 300,
  jobs: 100,
  fileJobs: 100,
  capacityVcpus: Infinity,
  freeVcpus: Infinity,
}
const waiting = (commandId: string, vcpuCount: number, waitedSeconds = 0) => ({
  commandId,
  vcpuCount,
  waitedSeconds,
})

describe('chooseAdmitted', () => {
  const cases: [string, Parameters<typeof chooseAdmitted>[0], Partial<typeof room>, string[]][] = [
    ['the oldest that fit', [waiting('a', 4), waiting('b', 4), waiting('c', 1)], {}, ['a', 'b']],
    [
      'a small one past a large one',
      [waiting('a', 6), waiting('b', 4), waiting('c', 2)],
      {},
      ['a', 'c'],
    ],
    [
      'nothing past one that waited long',
      [waiting('a', 6), waiting('b', 4, 300), waiting('c', 2)],
      {},
      ['a'],
    ],
    ['one larger than the limit, alone', [waiting('a', 16), waiting('b', 1)], {}, ['a']],
    ['nothing larger than the limit beside others', [waiting('a', 16)], { vcpuInUse: 1 }, []],
    ['no more than the Jobs left', [waiting('a', 1), waiting('b', 1)], { jobs: 1 }, ['a']],
    [
      'work on files only into the Jobs left for it, and commands beside it',
      [waiting('a', 0), waiting('b', 0), waiting('c', 1)],
      { fileJobs: 1 },
      ['a', 'c'],
    ],
    [
      'no more than the vCPUs free in the cluster, of which work on a file takes one',
      [waiting('a', 4), waiting('b', 0), waiting('c', 2), waiting('d', 0)],
      { freeVcpus: 3 },
      ['b', 'c'],
    ],
    [
      'one larger than the cluster, alone',
      [waiting('a', 6), waiting('b', 1)],
      { capacityVcpus: 4, freeVcpus: 4 },
      ['a'],
    ],
    [
      'nothing past one that waited long for vCPUs of the cluster',
      [waiting('a', 4, 300), waiting('b', 2), waiting('c', 0)],
      { freeVcpus: 3 },
      ['c'],
    ],
  ]
  for (const [what, commands, change, expected] of cases) {
    it(`admits ${what}`, () => {
      expect(chooseAdmitted(commands, { ...room, ...change })).to.deep.equal(expected)
    })
  }

  it('admits everything without a limit', () => {
    const all = [waiting('a', 100), waiting('b', 100)]
    expect(chooseAdmitted(all, { ...room, vcpuLimit: null })).to.deep.equal(['a', 'b'])
  })

  it('chooseAdmitted does not exceed the limit with commands that fit it', () => {
    const command = fc.record({
      commandId: fc.uuid(),
      vcpuCount: fc.integer({ min: 1, max: 8 }),
      waitedSeconds: fc.integer({ min: 0, max: 600 }),
    })
    fc.assert(
      fc.property(fc.array(command), fc.integer({ min: 0, max: 12 }), (commands, vcpuInUse) => {
        const chosen = new Set(chooseAdmitted(commands, { ...room, vcpuInUse }))
        const added = commands
          .filter(({ commandId }) => chosen.has(commandId))
          .reduce((sum, { vcpuCount }) => sum + vcpuCount, 0)
        expect(added === 0 || vcpuInUse + added <= 8).to.equal(true)
      }),
    )
  })
})
