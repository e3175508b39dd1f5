import { expect } from 'chai'
import { directly } from '../../common/runtime/failpoint.ts'
import { scaled } from '../../testing/scale.ts'
import { newId, progressOf, queuedStep } from '../../testing/store-contract/fixtures.ts'
import { createRandom } from '../../testing/support/random.ts'
import { jobName, labels } from '../../common/domain/resource-names.ts'
import { createWorld } from './controller.fixture.ts'
import type { FakePod } from './world-parts.fixture.ts'

const running = 2_000
const seconds = scaled({ smoke: 30, full: 120 })

describe(`a start beside ${running} commands that run and report progress every second`, function () {
  this.timeout(600_000)
  const random = createRandom('progress')
  const world = createWorld(
    directly,
    { vcpuTotal: null },
    { liveJobs: 2 * running, latencyMs: () => random.between(0.3, 3) },
  )
  const { clock, server, store } = world

  before(async () => {
    await world.start()
    let pods = 0
    server.cluster.onChange(({ kind, type, object }) => {
      if (kind !== 'Job' || type !== 'ADDED') return
      const { name, labels: { [labels.commandId]: id = '' } = {} } = object.metadata
      clock.schedule(100, () => void world.pod(name).then((pod) => report(id, pod)))
      pods += 1
    })
    for (let index = 0; index < running; index += 1) await world.submit(newId())
    await clock.runUntil(() => pods === running, 300_000)
    await clock.advance(10_000)
  })
  after(() => world.stop())

  /** A report a second, at a moment of its own. */
  function report(commandId: string, { uid }: FakePod): void {
    let percent = 0
    const send = async (): Promise<void> => {
      percent = Math.min(99, percent + 0.1)
      const step = { ...queuedStep, status: 'PROCESSING' as const, progress_percent: percent }
      await store.storeProgress({ ...progressOf(commandId, uid), logs: [], steps: [step] })
      clock.schedule(1_000, () => void send())
    }
    const begin = async (): Promise<void> => {
      await store.claimAttempt({ commandId, jobGeneration: 1, podUid: uid })
      await send()
    }
    clock.schedule(random.between(0, 1_000), () => void begin())
  }

  it('creates its Job within 100 ms of admission, and shows progress by 30 % of the requests', async () => {
    const waits: number[] = []
    const before = server.calls.length
    for (let second = 0; second < seconds; second += 2) {
      const id = newId()
      await world.submit(id)
      await clock.runUntil(() => server.cluster.get('Job', 'media', jobName(id, 1)) !== null, 2_000)
      waits.push(((await world.rowOf(id)).secondsSinceGeneration ?? Infinity) * 1_000)
      await clock.advance(2_000)
    }
    const calls = server.calls.slice(before)
    const shown = calls.filter(({ subresource }) => subresource === 'status')
    const perSecond = shown.length / seconds
    expect(Math.max(...waits)).to.be.at.most(100)
    expect(perSecond).to.be.within(20, 33)
    // No object is shown twice while another one waits.
    const counts = [...Map.groupBy(shown, ({ name }) => name).values()].map((own) => own.length)
    expect(Math.max(...counts)).to.be.at.most(Math.ceil((seconds * 33) / running) + 3)
  })
})
