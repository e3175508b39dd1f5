import { expect } from 'chai'
import { aDelivery, anEnd, anEvent } from '../shell/samples.fixture.ts'
import { openTab, scriptedService, startMs, status } from '../shell/scripted-service.fixture.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { filtersIn, pageSize } from './delivery-filters.ts'
import { createDeliveryList } from './delivery-list.ts'
import type { WebhookDelivery } from '../../common/openapi/openapi-types.ts'
import type { ScriptedService, TestTab } from '../shell/scripted-service.fixture.ts'
import type { DeliveryList } from './delivery-list.ts'

const listCall = 'GET /v1/webhook/deliveries'
const failedAttempt = { at: '2026-05-19T17:59:00.000000Z', response_status: 502, error: null }

describe('the list of deliveries', () => {
  let service: ScriptedService
  let tab: TestTab
  let list: DeliveryList
  const open = async (query = '') => {
    list = createDeliveryList(service.client, filtersIn(new URLSearchParams(query)), service.clock)
    await service.settle()
  }
  /** The stream begins, after which a list is read again. */
  const connect = async () => {
    await service.stream.begin()
    await service.settle()
  }
  const reads = () => service.requests.filter((one) => one.startsWith(listCall)).length
  const shown = () => list.items.value.map(({ webhook_id: id, status }) => `${id} ${status}`)
  beforeEach(async () => {
    service = scriptedService()
    tab = openTab(service)
    service.on(listCall, () => [aDelivery(), aDelivery({ webhook_id: 'msg_0', status: 'FAILED' })])
    await service.settle()
  })
  afterEach(() => {
    list.close()
    tab.close()
  })

  it('shows a page of deliveries, and whether there are older ones, when the page opens', async () => {
    await open()
    expect(shown()).to.deep.equal(['msg_1 PENDING', 'msg_0 FAILED'])
    expect([list.state.value, list.hasOlder.value]).to.deep.equal(['ready', false])
    const many = Array.from({ length: pageSize + 1 }, (_, index) =>
      aDelivery({ webhook_id: `msg_${index}` }),
    )
    service.on(listCall, () => many)
    await list.read()
    expect(list.items.value).to.have.length(pageSize)
    expect(list.hasOlder.value).to.equal(true)
  })

  it('reads deliveries again once, 1.5 s after commands have ended', async () => {
    await open()
    await connect()
    const before = reads()
    for (const command_id of ['a', 'b']) {
      await service.stream.send('command', anEnd({ command_id }))
    }
    tab.draw()
    await service.clock.advance(1_499)
    expect(reads() - before).to.equal(0)
    await service.clock.advance(1)
    await service.settle()
    expect(reads() - before).to.equal(1)
  })

  it('reads no deliveries when a command goes on, or on a page behind the first', async () => {
    await open()
    await connect()
    const before = reads()
    await service.stream.send('command', anEvent())
    tab.draw()
    await service.clock.advance(60_000)
    expect(reads() - before).to.equal(0)
    list.close()
    await open('from=25')
    await service.stream.send('command', anEnd())
    tab.draw()
    await service.clock.advance(60_000)
    expect(reads() - before).to.equal(1)
  })

  describe('a delivery that is sent again', () => {
    let now: WebhookDelivery
    beforeEach(() => {
      now = aDelivery({ attempts: [failedAttempt], next_attempt_at: null })
      service.on('POST /v1/webhook/deliveries/msg_1/redeliver', () => now)
      service.on('GET /v1/webhook/deliveries/msg_1', () => now)
    })
    const attempted = (status: number) => {
      const attempt = { ...failedAttempt, response_status: status }
      now = {
        ...now,
        status: status < 300 ? 'DELIVERED' : 'FAILED',
        attempts: [failedAttempt, attempt],
      }
    }
    const looks = () =>
      service.requests.filter((one) => one === 'GET /v1/webhook/deliveries/msg_1').length

    it('sendAgain resolves when the next attempt has ended, and shows it in its row', async () => {
      await open()
      const sent = list.sendAgain('msg_1')
      await service.settle()
      expect([...list.sending.value]).to.deep.equal(['msg_1'])
      await service.clock.advance(1_000)
      await service.settle()
      attempted(204)
      await service.clock.advance(1_500)
      expect((await service.clock.until(sent))?.status).to.equal('DELIVERED')
      expect(shown()).to.deep.equal(['msg_1 DELIVERED', 'msg_0 FAILED'])
      expect(list.sending.value.size).to.equal(0)
      expect(looks()).to.equal(3)
    })

    it('sendAgain resolves with a pending delivery when its attempt has not ended after 18 s', async () => {
      await open()
      const sent = await service.clock.until(list.sendAgain('msg_1'))
      expect(sent?.status).to.equal('PENDING')
      expect(looks()).to.equal(6)
      // An attempt ends within 15 s.
      expect(service.clock.wall().getTime() - startMs).to.be.at.least(15_000)
      expect(list.sending.value.size).to.equal(0)
    })

    it('sendAgain rejects with the answer of the service when it refuses', async () => {
      await open()
      service.on('POST /v1/webhook/deliveries/msg_1/redeliver', () =>
        status(409, 'It is being sent'),
      )
      const reason = await rejectionOf(service.clock.until(list.sendAgain('msg_1')))
      expect(reason).to.have.property('detail', 'It is being sent')
      expect(list.sending.value.size).to.equal(0)
    })

    it('sendAgain resolves with null when the page is left before the attempt has ended', async () => {
      await open()
      const sent = list.sendAgain('msg_1')
      await service.settle()
      list.close()
      expect(await service.clock.until(sent)).to.equal(null)
    })
  })
})
