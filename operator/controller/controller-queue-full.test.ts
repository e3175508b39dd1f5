import { expect } from 'chai'
import { useWorld } from './use-world.fixture.ts'
import { namespace } from './world-parts.fixture.ts'
import { commitOf, failed } from '../../testing/store-contract/fixtures.ts'

const limit = 10

describe('controller, for applied objects of an account whose queue is full', () => {
  const world = useWorld({ maxQueued: limit, vcpuTotal: 4 })

  function apply(count: number, prefix = 'c'): string[] {
    return Array.from({ length: count }, (_, index) => {
      const { metadata } = world.server.cluster.create('FfmpegCommand', namespace, {
        metadata: { name: `${prefix}-${String(index).padStart(5, '0')}` },
        spec: {
          account: 'default',
          commands: ['-i {{in_1}} {{out_1}}'],
          inputFiles: { in_1: 'https://media.example/a.mp4' },
          outputFiles: { out_1: 'b.mp4' },
          vcpuCount: 4,
        },
      })
      return metadata.uid
    })
  }

  const imported = async (uids: readonly string[]) => {
    const rows = await Promise.all(uids.map((uid) => world.store.findForReconcile(uid)))
    return uids.filter((_, index) => rows[index] !== null)
  }

  it('shows QueueFull with plan and limit, and imports them in order as others end', async () => {
    const uids = apply(limit + 3)
    await world.clock.advance(2_000)
    const first = await imported(uids)
    expect(first).to.have.length(limit)
    const waiting = uids.filter((uid) => !first.includes(uid))
    const names = world.server.cluster
      .list('FfmpegCommand')
      .filter(({ metadata }) => waiting.includes(metadata.uid))
      .map(({ metadata }) => metadata.name)
    for (const name of names) {
      expect(world.status(name)).to.deep.include({
        state: 'QUEUED',
        reason: 'QueueFull',
        message: `Queue full: plan 'small' lets ${limit} commands wait; this one is taken in when there is room`,
      })
    }
    for (const uid of first.slice(0, 2)) {
      await world.store.commitOutcome(commitOf(uid, null, failed('CANCELLED')))
    }
    await world.clock.advance(120_000)
    expect(await imported(waiting)).to.have.length(2)
  })

  it('forgets an object that is deleted while it waits, and imports the next one', async () => {
    const first = apply(limit)
    await world.clock.advance(2_000)
    const [gone = '', next = ''] = apply(2, 'd')
    await world.clock.advance(2_000)
    world.server.cluster.delete('FfmpegCommand', namespace, 'd-00000')
    await world.store.commitOutcome(commitOf(first[1] ?? '', null, failed('CANCELLED')))
    await world.clock.advance(120_000)
    expect(await imported([gone, next])).to.deep.equal([next])
  })

  it('sends no statement and no request for an object while 2,000 wait', async () => {
    /** Statements and requests of a minute in which only objects wait. */
    const aMinute = async () => {
      const before = { statements: world.statements(), requests: world.server.calls.length }
      await world.clock.advance(60_000)
      return {
        statements: world.statements() - before.statements,
        requests: world.server.calls.length - before.requests,
      }
    }
    const shown = () =>
      world.server.cluster
        .list('FfmpegCommand')
        .filter(({ status }) => status?.['reason'] === 'QueueFull').length
    apply(limit + 1)
    await world.clock.advance(300_000)
    const one = await aMinute()
    apply(2_000, 'd')
    await world.clock.advance(5_000)
    expect(shown()).to.be.within(1, 151)
    await world.clock.advance(300_000)
    // A command that never starts ends, and one more is taken in.
    expect(shown()).to.be.within(2_000, 2_001)
    const many = await aMinute()
    console.log(`      with 1 waiting: ${JSON.stringify(one)}; with 2,001: ${JSON.stringify(many)}`)
    expect(many.statements).to.be.within(1, one.statements + 20)
    expect(many.requests).to.be.at.most(one.requests + 20)
    expect((await world.store.readQueue(world.accountId, 'commands')).queued).to.equal(limit)
  })
})
