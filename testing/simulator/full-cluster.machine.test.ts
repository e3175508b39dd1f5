import { expect } from 'chai'
import { simulate } from './simulation.ts'

const seeds = [1, 2, 3, 4, 5, 6]
/** Same as the largest command has: two accounts with twenty commands of 1 to 4 vCPUs wait for it. */
const roomVcpus = 4

describe('a simulated cluster that is full', function () {
  this.timeout(600_000)

  for (const [what, faults] of [
    ['while nothing else happens', 0],
    ['while processes crash, leaders change and requests fail', 6],
  ] as const) {
    it(`fails no command for its wait, which is longer than the start allowance, ${what}`, async () => {
      for (const seed of seeds) {
        const run = await simulate({ seed, faults, roomVcpus })
        expect(run.report).to.equal('')
        expect(run.errors, `seed ${seed}`).to.not.include('START_TIMEOUT')
      }
    })
  }
})
