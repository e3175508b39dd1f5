import { expect } from 'chai'
import { Registry } from 'prom-client'
import { pro, runPath, submission, useApp } from '../../testing/support/api/app.ts'
import { refusalOf } from '../checked-call.fixture.ts'
import { Refusal } from '../http/errors.ts'
import { createHttpMetrics } from '../server/metrics.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createQueueRoom } from './queue-room.ts'
import type { Account } from '../../common/store/accounts.ts'

describe('the queue of an account', () => {
  const registry = new Registry()
  const small = { ...pro, maxQueued: 3, maxQueuedFiles: 2 }
  const app = useApp({ plans: { pro, small }, metrics: createHttpMetrics(registry) })
  const fileBody = { file_url: 'https://media.example/clip.mov' }

  it('refuses a command above maxQueued with the figures and a time, and takes it after an end', async () => {
    const key = 'key-of-commands'
    await app.addAccount('commands', 'small', key)
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) ids.push(await app.submit({}, { key }))
    const refused = await app.post(runPath, submission, { key })
    expect(refusalOf(refused)).to.deep.equal([
      429,
      "Queue full: 3 of 3 commands of plan 'small' wait; retry in 10 s",
    ])
    expect(refused.headers.get('retry-after')).to.equal('10')
    await app.post(`/v1/commands/${ids[0]}/cancel`, {}, { key })
    expect((await app.post(runPath, submission, { key })).status).to.equal(200)
    expect(await registry.metrics()).to.match(
      /queue_full_total\{list="commands",plan="small"\} 1\n/,
    )
  })

  it('counts stored files apart from commands', async () => {
    const key = 'key-of-files'
    await app.addAccount('files', 'small', key)
    for (let count = 0; count < 2; count += 1) {
      expect((await app.post('/v1/files/store-file', fileBody, { key })).status).to.equal(200)
    }
    const refused = await app.post('/v1/files/store-file', fileBody, { key })
    expect(refusalOf(refused)).to.deep.equal([
      429,
      "Queue full: 2 of 2 files of plan 'small' wait; retry in 10 s",
    ])
    expect((await app.post(runPath, submission, { key })).status).to.equal(200)
  })

  it('a queue has no limit on a plan without maxQueued', async () => {
    for (let count = 0; count < 4; count += 1) await app.submit()
  })
})

describe('createQueueRoom', () => {
  const account: Account = {
    accountId: 'a',
    name: 'a',
    plan: 'small',
    suspended: false,
    limits: {},
    defaultOutputTtlSeconds: null,
  }
  const plan = { ...pro, maxQueued: 10 }

  function roomOver(state: { queued: number; running?: number; meanSeconds?: number | null }) {
    const clock = createVirtualClock()
    let reads = 0
    const room = createQueueRoom({
      store: {
        readQueue: async () => {
          reads += 1
          return { running: 0, meanSeconds: null, ...state }
        },
      },
      clock,
      metrics: { queueFull: () => undefined },
    })
    return { clock, require: () => room.require(account, plan, 'commands'), reads: () => reads }
  }

  it('reads the count once a second while it is far from the limit', async () => {
    const { clock, require, reads } = roomOver({ queued: 0 })
    await require()
    await require()
    expect(reads()).to.equal(1)
    await clock.advance(1_001)
    await require()
    expect(reads()).to.equal(2)
  })

  it('counts what it lets through, and reads again near the limit', async () => {
    const { require, reads } = roomOver({ queued: 5 })
    for (let count = 0; count < 6; count += 1) await require()
    expect(reads()).to.equal(2)
  })

  it('names the time in which one running command ends, from 1 to 600 s', async () => {
    for (const [running, meanSeconds, seconds] of [
      [4, 60, 15],
      [100, 1, 1],
      [0, 9_000, 600],
    ] as const) {
      const { require } = roomOver({ queued: 10, running, meanSeconds })
      const error = await rejectionOf(require())
      const headers = error instanceof Refusal ? error.answer.headers : undefined
      expect(headers).to.include({ 'Retry-After': String(seconds) })
    }
  })
})
