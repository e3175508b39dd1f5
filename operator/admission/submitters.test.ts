import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import type { Submission } from '../../common/store/admission.ts'
import { accountWith, waiting } from './pass.fixture.ts'
import { createSubmitters } from './submitters.ts'

function submittersOf(before: readonly Submission[], withinSeconds = 1_800) {
  const clock = createVirtualClock()
  const reads: number[] = []
  const submitters = createSubmitters({
    clock,
    withinSeconds,
    findSubmissions(query) {
      reads.push(query.withinSeconds)
      return Promise.resolve(before)
    },
  })
  return { clock, reads, submitters }
}

describe('the accounts that submitted of late', () => {
  it('the submitters are those that the store has once, and those with commands in a pass', async () => {
    const { submitters, reads } = submittersOf([
      { accountId: 'a', vcpuCount: 4, secondsAgo: 600 },
      { accountId: 'a', vcpuCount: 2, secondsAgo: 10 },
    ])
    const pass = [accountWith({ accountId: 'b', waiting: [waiting('file', 0)] })]
    const expected = [
      { accountId: 'a', largestVcpus: 4, hasFiles: false },
      { accountId: 'b', largestVcpus: 0, hasFiles: true },
    ]
    expect(await submitters.observe(pass)).to.deep.equal(expected)
    expect(await submitters.observe([])).to.deep.equal(expected)
    expect(reads).to.deep.equal([1_800])
  })

  it('the submitters are forgotten size by size, by the time of the submission and not of the start', async () => {
    const { submitters, clock } = submittersOf([])
    const commands = [waiting('large', 8, 1_200), waiting('small', 2, 0)]
    await submitters.observe([accountWith({ waiting: commands })])
    await clock.advance(599_000)
    expect((await submitters.observe([]))[0]?.largestVcpus).to.equal(8)
    await clock.advance(1_000)
    expect((await submitters.observe([]))[0]?.largestVcpus).to.equal(2)
    await clock.advance(1_200_000)
    expect(await submitters.observe([])).to.deep.equal([])
  })

  it('the submitters are read again in the next pass where the store failed', async () => {
    let isDown = true
    const submitters = createSubmitters({
      clock: createVirtualClock(),
      withinSeconds: 60,
      findSubmissions: () =>
        isDown
          ? Promise.reject(new Error('the database is away'))
          : Promise.resolve([{ accountId: 'a', vcpuCount: 1, secondsAgo: 1 }]),
    })
    const error: unknown = await submitters.observe([]).catch((reason: unknown) => reason)
    expect(error).to.have.property('message', 'the database is away')
    isDown = false
    expect(await submitters.observe([])).to.have.length(1)
  })

  it('there are no submitters, and nothing is read, where the reserve is for none', async () => {
    const { submitters, reads } = submittersOf([], 0)
    expect(await submitters.observe([accountWith({ waiting: [waiting('a')] })])).to.deep.equal([])
    expect(reads).to.deep.equal([])
  })
})
