import { expect } from 'chai'
import fc from 'fast-check'
import { aDelivery } from '../shell/samples.fixture.ts'
import {
  attemptWords,
  deliveryFacts,
  isDelivered,
  readableBody,
  sentAgainWords,
} from './delivery-words.ts'

const attempt = {
  at: '2026-05-19T17:59:00.000000Z',
  response_status: 204,
  error: null,
  duration_ms: 340,
  response_excerpt: null,
}

describe('the facts of a delivery', () => {
  const nowMs = Date.parse('2026-05-19T18:00:00Z')
  const facts = (change: object) => deliveryFacts(aDelivery(change), nowMs)

  it('deliveryFacts says age, attempts, and when the next attempt begins', () => {
    expect(facts({})).to.equal('1 min ago · 1 attempt · next in 4 min')
    expect(facts({ next_attempt_at: null, attempts: [attempt, attempt] })).to.equal(
      '1 min ago · 2 attempts',
    )
  })

  it('deliveryFacts says that the next attempt is due when its time has come', () => {
    for (const at of ['2026-05-19T18:00:00.000000Z', '2026-05-19T17:59:59.000000Z']) {
      expect(facts({ next_attempt_at: at })).to.equal('1 min ago · 1 attempt · the next is due')
    }
  })

  it('deliveryFacts omits the time of the first attempt', () => {
    expect(facts({ attempts: [] })).to.equal('1 min ago · 0 attempts')
  })
})

describe('an attempt of a delivery', () => {
  it('isDelivered returns true only when the receiver answered 2xx without an error', () => {
    const good = (change: object) => isDelivered({ ...attempt, ...change })
    expect([200, 204, 299].map((response_status) => good({ response_status }))).to.deep.equal(
      Array(3).fill(true),
    )
    const bad = [199, 300, 301, 404, 502, null]
    expect(bad.map((response_status) => good({ response_status }))).to.deep.equal(
      Array(bad.length).fill(false),
    )
    expect(good({ error: 'The answer did not end within 15 s' })).to.equal(false)
  })

  it('attemptWords returns the number of an attempt, and its time in ms or s', () => {
    const words = (duration_ms: number | null) => attemptWords({ ...attempt, duration_ms }, 2)
    expect(words(340)).to.equal('attempt 2 · 340 ms')
    expect(words(999)).to.equal('attempt 2 · 999 ms')
    expect(words(1_500)).to.equal('attempt 2 · 1.5 s')
    expect(words(null)).to.equal('attempt 2')
  })

  it('sentAgainWords says the answer to a delivery that was sent again', () => {
    const sent = (status: 'DELIVERED' | 'FAILED' | 'PENDING', response_status: number | null) =>
      sentAgainWords(aDelivery({ status, attempts: [{ ...attempt, response_status }] }))
    expect(sent('DELIVERED', 204)).to.equal('Sent again and delivered: 204.')
    expect(sent('FAILED', 502)).to.equal('Sent again, not delivered: 502. Its attempts are below.')
    expect(sent('PENDING', null)).to.equal(
      'Sent again, not delivered: no answer. Its attempts are below.',
    )
  })
})

describe('readableBody', () => {
  it('readableBody returns JSON with line breaks of the same value, and any other text as it is', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(readableBody(text))).to.deep.equal(JSON.parse(text))
      }),
    )
    expect(readableBody('{"a":[1]}')).to.equal('{\n  "a": [\n    1\n  ]\n}')
    for (const text of ['', 'plain', '{"a":']) expect(readableBody(text)).to.equal(text)
  })
})
