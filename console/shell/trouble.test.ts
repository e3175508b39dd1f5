import { expect } from 'chai'
import {
  ignored,
  noteIgnored,
  noteLost,
  pauseWords,
  trouble,
  troubleWords,
  watchedFetch,
} from './trouble.ts'
import { clockTime } from '../parts/clock-time.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import type { Trouble } from './trouble.ts'

describe('what keeps the service from answering', () => {
  let refusals = 0
  const fetches = (answer: () => Response, init?: RequestInit) =>
    watchedFetch(
      () => (refusals += 1),
      async () => answer(),
    )('http://service.example', init)
  const answers = (status: number, headers: Record<string, string> = {}) =>
    fetches(() => new Response(null, { status, headers }))
  const isAway = (init?: RequestInit) =>
    rejectionOf(
      fetches(() => {
        throw new TypeError('Failed to fetch')
      }, init),
    )
  const kind = () => trouble.value?.kind ?? null
  beforeEach(() => {
    refusals = 0
    trouble.value = null
    ignored.value = []
  })
  after(() => (trouble.value = null))

  it('notes the rate of the plan after 429, a database that is away after 502 to 504, and nothing otherwise', async () => {
    for (const [status, wanted] of [
      [429, 'rate'],
      [502, 'unavailable'],
      [503, 'unavailable'],
      [504, 'unavailable'],
      [500, null],
      [404, null],
      [401, null],
      [200, null],
    ] as const) {
      await answers(status)
      expect(kind(), String(status)).to.equal(wanted)
    }
  })

  it('notes that the service does not answer when a request rejects, until the next answer', async () => {
    expect(String(await isAway())).to.contain('Failed to fetch')
    expect(kind()).to.equal('no-answer')
    await answers(200)
    expect(kind()).to.equal(null)
  })

  it('notes nothing when the page itself has ended a request', async () => {
    await isAway({ signal: AbortSignal.abort() })
    expect(kind()).to.equal(null)
  })

  it('keeps the time at which a trouble began while it lasts', async () => {
    await isAway()
    const since = trouble.value?.kind === 'no-answer' ? trouble.value.since : null
    await isAway()
    noteLost()
    expect(trouble.value).to.have.property('since', since)
    await answers(503)
    const later = trouble.value
    noteLost()
    expect(trouble.value, 'a stream that breaks says less than an answer').to.equal(later)
  })

  it('notes how long the rate is used up, one second when the service does not say', async () => {
    for (const [headers, waitMs] of [
      [{ 'retry-after': '30' }, 30_000],
      [{}, 1_000],
    ] as const) {
      const before = new Date().getTime()
      await answers(429, headers)
      const after = new Date().getTime()
      const until = trouble.value?.kind === 'rate' ? trouble.value.until.getTime() : 0
      expect(until - waitMs).to.be.within(before, after)
    }
  })

  it('notes the reason of a pause of submissions, which answers to reads do not end', async () => {
    const message = 'An administrator has paused new commands and files: disks are full'
    const body = { code: 'submissions_paused', message }
    await fetches(() => Response.json(body, { status: 503, headers: { 'retry-after': '30' } }), {
      method: 'POST',
    })
    expect(trouble.value).to.deep.include({ kind: 'paused', reason: message })
    await answers(200)
    expect(kind()).to.equal('paused')
    await fetches(() => new Response(null, { status: 200 }), { method: 'POST' })
    expect(kind()).to.equal(null)
    await fetches(() =>
      Response.json(
        { code: 'unavailable', message: 'Service temporarily unavailable' },
        { status: 503 },
      ),
    )
    expect(kind()).to.equal('unavailable')
  })

  it('calls back when the service does not accept the key, and for no other status', async () => {
    for (const status of [200, 403, 404, 429, 500, 401]) await answers(status)
    expect(refusals).to.equal(1)
  })

  it('lists each parameter that the service ignores once', () => {
    noteIgnored(['a', 'b'])
    const first = ignored.value
    noteIgnored(['b'])
    expect(ignored.value).to.equal(first)
    noteIgnored(['b', 'c'])
    expect(ignored.value).to.deep.equal(['a', 'b', 'c'])
  })
})

describe('the words of the bar at the top', () => {
  const since = new Date('2026-05-19T18:00:00Z')
  const now = since.getTime() + 10_000
  const at = clockTime(since)

  it('troubleWords says what is away, since when, and when it is tried again', () => {
    const words = (found: Trouble, nextMs: number | null) =>
      troubleWords(found, now, nextMs === null ? null : new Date(nextMs))
    expect(words({ kind: 'no-answer', since }, now + 3_400)).to.equal(
      `No answer from the service since ${at}. What you see is from then. Trying again in 4 s.`,
    )
    expect(words({ kind: 'unavailable', since }, null)).to.equal(
      `The database is away since ${at}; running commands go on. Trying again.`,
    )
    expect(words({ kind: 'no-answer', since }, now - 5_000)).to.match(/in 1 s\.$/)
  })

  it('troubleWords says the reason of a pause, not that the database is away', () => {
    const reason = 'An administrator has paused new commands and files: disks are full'
    const until = new Date(now + 29_001)
    expect(troubleWords({ kind: 'paused', until, reason }, now, null)).to.equal(
      `${reason}. Trying again in 30 s.`,
    )
  })

  it('troubleWords says how long the rate of the plan holds requests back, a second at least', () => {
    const words = (ms: number) =>
      troubleWords({ kind: 'rate', until: new Date(now + ms) }, now, null)
    expect(words(29_001)).to.contain('Going on in 30 s.')
    expect(words(-1)).to.contain('Going on in 1 s.')
  })
})

describe('pauseWords', () => {
  const paused_at = '2026-11-29T20:00:00.000000Z'

  it('the words of a pause name what is paused and the reason of the administrator', () => {
    expect(pauseWords({ what: 'admission', why: 'Disk swap until 14:00.', paused_at })).to.equal(
      'The start of commands is paused by an administrator: Disk swap until 14:00.',
    )
    expect(pauseWords({ what: 'submissions', why: 'Upgrade', paused_at })).to.equal(
      'New commands and files are paused by an administrator: Upgrade.',
    )
  })

  it('the words of a pause without a reason end behind its subject', () => {
    expect(pauseWords({ what: 'webhooks', why: ' ', paused_at })).to.equal(
      'The delivery of webhooks is paused by an administrator.',
    )
  })
})
