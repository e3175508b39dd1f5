import { expect } from 'chai'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import type { CommandState, KnownVersion } from '../../../common/store/command-states.ts'
import { createCommandWatch } from './watch-commands.ts'

describe('the watch of followed commands', () => {
  const open = () => {
    const clock = createVirtualClock()
    const polls: { atMs: number; ids: string[] }[] = []
    const rows = new Map<string, CommandState>()
    const store = {
      findChanged: (known: readonly KnownVersion[]) => {
        polls.push({ atMs: clock.monotonicMs(), ids: known.map(({ commandId }) => commandId) })
        return Promise.resolve(
          known.flatMap(({ commandId, version }) => {
            const row = rows.get(commandId)
            return row === undefined || row.version === version ? [] : row
          }),
        )
      },
    }
    const watch = createCommandWatch({ store, clock, logger: silentLogger })
    const times = (id: string) =>
      polls.filter(({ ids }) => ids.includes(id)).map(({ atMs }) => atMs)
    return { clock, watch, rows, times }
  }

  it('polls a command every 20 ms until it is 2 s old, then every 100 ms', async () => {
    const { clock, watch, times } = open()
    watch.follow(stateOf('young', { ageSeconds: 1 }))
    await clock.advance(1_000)
    expect(times('young').slice(0, 6)).to.deep.equal([20, 40, 60, 80, 100, 120])
    expect(times('young')).to.have.length(50)
    await clock.advance(1_000)
    expect(times('young')).to.have.length(60)
  })

  it('polls an older one every 100 ms, also beside a young one', async () => {
    const { clock, watch, times } = open()
    watch.follow(stateOf('old', { ageSeconds: 60 }))
    await clock.advance(300)
    expect(times('old')).to.deep.equal([100, 200, 300])
    watch.follow(stateOf('young', { ageSeconds: 0 }))
    await clock.advance(1_000)
    expect(times('old')).to.have.length(13)
    expect(times('young').length).to.be.at.least(45)
  })

  it('shows a change of a young command at the next poll, and stops when it is not followed any more', async () => {
    const { clock, watch, rows, times } = open()
    const followed = watch.follow(stateOf('young', { ageSeconds: 0 }))
    const newer = followed.newer(1, 10_000, new AbortController().signal)
    rows.set('young', { ...stateOf('young', { ageSeconds: 0 }), version: 2, status: 'SUCCESS' })
    await clock.advance(20)
    await newer
    expect(followed.state()).to.include({ version: 2, status: 'SUCCESS' })
    followed.close()
    await clock.advance(1_000)
    expect(times('young')).to.deep.equal([20])
    expect(clock.pendingTimers()).to.equal(0)
  })
})

function stateOf(commandId: string, { ageSeconds }: { ageSeconds: number }): CommandState {
  const readAt = new Date('2026-01-01T00:01:00Z')
  return {
    commandId,
    version: 1,
    status: 'QUEUED',
    stage: null,
    progressPercent: null,
    attempts: 0,
    errorStatus: null,
    stepCount: 1,
    readAt,
    createdAt: new Date(readAt.getTime() - ageSeconds * 1_000),
  }
}
