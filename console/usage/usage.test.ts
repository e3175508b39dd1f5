import { expect } from 'chai'
import { daysLeft, durationWords, gigabytes, share } from './amounts.ts'
import { axisEnd, bucketWords, charts, errorsOf, heightOf, pathOf, totalOf } from './series.ts'
import { queryOf, requestOf, shownIn } from './spans.ts'
import { bucketName, ticksOf } from './time-axis.ts'
import type { UsageBucket } from '../../common/openapi/openapi-types.ts'

const empty: UsageBucket = {
  start: '2026-05-19T18:00:00.000000Z',
  commands: { succeeded: 0, failed: 0, cancelled: 0 },
  errors: {},
  processed_mbytes: 0,
  vcpu_seconds: 0,
  ffmpeg_seconds: 0,
  wait_seconds: { p50: null, p95: null },
  peak_vcpu: 0,
  storage_mbytes: null,
}
const chartOf = (id: string) => {
  const found = charts.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no chart ${id}`)
  return found
}

describe('the span of the charts', () => {
  const now = Date.parse('2026-05-19T18:20:00Z')
  const shown = (query: string) => shownIn(new URLSearchParams(query))

  it('reads the span of the charts from the address, and writes it there', () => {
    expect(shown('')).to.deep.equal({ span: '7d', by: 'hour' })
    expect(shown('span=24h&by=day')).to.deep.equal({ span: '24h', by: 'hour' })
    expect(shown('span=month')).to.deep.equal({ span: 'month', by: 'day' })
    expect(shown('span=year&by=week')).to.deep.equal({ span: '7d', by: 'hour' })
    expect(shown(queryOf({ span: '30d', by: 'hour' }).toString())).to.deep.equal({
      span: '30d',
      by: 'hour',
    })
  })

  it('the span ends now and has no more buckets than the service answers', () => {
    expect(requestOf({ span: '24h', by: 'hour' }, now)).to.deep.equal({
      from: '2026-05-18T19:20:00.000Z',
      to: '2026-05-19T18:20:00.000Z',
      bucket: 'hour',
    })
    expect(requestOf({ span: 'month', by: 'day' }, now).from).to.equal('2026-05-01T00:00:00.000Z')
    const { from, to } = requestOf({ span: '30d', by: 'hour' }, now)
    expect((Date.parse(to) - Date.parse(from)) / 3_600_000).to.be.below(749)
  })
})

describe('bars', () => {
  const bucket = { ...empty, commands: { succeeded: 30, failed: 10, cancelled: 0 } }

  it('stacks bars and omits zero values', () => {
    const chart = chartOf('commands')
    expect(heightOf(chart, bucket)).to.equal(40)
    const paths = chart.parts.map((part) =>
      pathOf(chart, part, { buckets: [empty, bucket], end: 50 }),
    )
    expect(paths).to.deep.equal(['M1 1v-0.6h0.8v0.6z', 'M1 0.4v-0.2h0.8v0.2z', ''])
    expect(bucketWords(chart, bucket)).to.equal('30 done, 10 failed')
    expect(bucketWords(chart, empty)).to.equal('nothing')
    expect(totalOf(chart, [bucket, bucket, empty])).to.equal('80')
  })

  it('draws nested bars for waits, the shorter one in front', () => {
    const chart = chartOf('wait')
    const waited = { ...empty, wait_seconds: { p50: 2, p95: 8 } }
    const paths = chart.parts.map((part) => pathOf(chart, part, { buckets: [waited], end: 10 }))
    expect(paths).to.deep.equal(['M0 1v-0.8h0.8v0.8z', 'M0 1v-0.2h0.8v0.2z'])
    expect(bucketWords(chart, waited)).to.equal('95 % began within 8.0 s, half began within 2.0 s')
    expect(totalOf(chart, [waited, empty])).to.equal('at most 8.0 s')
  })

  it('bars end at a round figure that is not below the largest', () => {
    const endsOf = (axis: 'count' | 'time' | 'size', ...most: number[]) =>
      most.map((one) => axisEnd(one, axis))
    expect(endsOf('count', 0, 0.3, 7, 40, 101)).to.deep.equal([1, 1, 8, 40, 200])
    expect(endsOf('time', 0.3, 7, 45, 1_900, 100_000)).to.deep.equal([0.3, 10, 60, 2_400, 172_800])
    expect(endsOf('size', 7, 1_100, 25_000)).to.deep.equal([8, 2_048, 30_720])
  })

  it('bars name their time in the zone that was chosen, and days by UTC', () => {
    const start = '2026-05-19T18:00:00.000000Z'
    expect(bucketName(start, 'hour', 'utc')).to.equal('19 May, 18:00 to 19:00')
    expect(bucketName(start, 'day', 'local')).to.equal('19 May')
    const hours = Array.from({ length: 169 }, (_, hour) => ({
      start: new Date(Date.parse('2026-05-12T18:00:00Z') + hour * 3_600_000).toISOString(),
    }))
    const ticks = ticksOf(hours, 'hour', 'utc')
    expect(ticks[0]).to.deep.equal({ index: 6, words: '13 May' })
    expect(ticks).to.have.length(7)
    expect(ticksOf(hours.slice(0, 24), 'hour', 'utc').map(({ words }) => words)).to.deep.equal([
      '18:00',
      '22:00',
      '02:00',
      '06:00',
      '10:00',
      '14:00',
    ])
  })

  it('errors are added up, the most frequent first', () => {
    const some = { ...empty, errors: { TIMEOUT: 1, FFMPEG_FAILED: 1 } }
    expect(errorsOf([some, { ...empty, errors: { TIMEOUT: 2 } }])).to.deep.equal([
      ['TIMEOUT', 3],
      ['FFMPEG_FAILED', 1],
    ])
  })
})

describe('amounts', () => {
  it('writes amounts in MB or GB, and in seconds or days', () => {
    expect([0, 0.5, 1_023.9, 1_024, 51_200].map(gigabytes)).to.deep.equal([
      '0 MB',
      '0.5 MB',
      '1023.9 MB',
      '1.0 GB',
      '50.0 GB',
    ])
    expect(share(1_331.2, 51_200)).to.equal('1.3 GB of 50.0 GB')
    expect(share(3, null)).to.equal('3.0 MB')
    expect([0, 90, 172_800].map(durationWords)).to.deep.equal(['0 s', '1 min 30 s', '2 days'])
  })

  it('amounts say how many days are left', () => {
    const now = Date.parse('2026-11-24T12:00:00Z')
    expect(daysLeft('2026-12-01T00:00:00Z', now)).to.equal('in 7 days')
    expect(daysLeft('2026-11-25T00:00:00Z', now)).to.equal('within a day')
  })
})
