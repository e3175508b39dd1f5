import { expect } from 'chai'
import { idOf } from '../checked-call.fixture.ts'
import { succeed } from '../../testing/support/api/outcomes.ts'
import { runPath, submission, useApp } from '../../testing/support/api/app.ts'

describe('GET /v1/usage/history', () => {
  const app = useApp()
  const read = async (query = '') => (await app.call(`/v1/usage/history${query}`)).body

  it('the last bucket of the usage has the commands that have just ended', async () => {
    const id = idOf(await app.post(runPath, submission))
    await succeed(app, id)
    for (const bucket of ['hour', 'day']) {
      const { buckets, ...span } = (await read(`?bucket=${bucket}`)) as {
        buckets: Record<string, unknown>[]
        bucket: string
      }
      expect(span.bucket).to.equal(bucket)
      expect(buckets).to.have.length(bucket === 'hour' ? 169 : 31)
      expect(buckets.at(-1)).to.deep.include({
        commands: { succeeded: 1, failed: 0, cancelled: 0 },
        processed_mbytes: 3,
        storage_mbytes: 1,
      })
      expect(buckets.at(-2)).to.deep.include({ processed_mbytes: 0 })
    }
  })

  it('returns the history of the account of the key', async () => {
    const key = 'key-of-other'
    await app.addAccount('other', 'pro', key)
    const { body } = await app.call('/v1/usage/history', { key })
    expect(JSON.stringify(body)).not.to.match(/"(succeeded|processed_mbytes)":[1-9]/)
  })

  it('takes a date, and a time with an offset', async () => {
    const span = '?from=2026-01-01&to=2026-01-02T01:00:00+01:00&bucket=day'
    expect(await read(span)).to.deep.include({
      from: '2026-01-01T00:00:00.000000Z',
      to: '2026-01-02T00:00:00.000000Z',
    })
  })

  it('returns 422 for more than 750 buckets, for a span that ends before it begins, and for a bad value', async () => {
    const refused = async (query: string) => {
      const { status, body } = await app.call(`/v1/usage/history${query}`)
      expect(status).to.equal(422)
      return JSON.stringify(body)
    }
    const year = '?from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'
    expect(await refused(year)).to.contain('8760 buckets, at most 750')
    expect((await app.call(`/v1/usage/history${year}&bucket=day`)).status).to.equal(200)
    const back = '?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'
    expect(await refused(back)).to.contain('from must be before to')
    expect((await app.call('/v1/usage/history?bucket=week')).status).to.equal(422)
    expect((await app.call('/v1/usage/history?from=yesterday')).status).to.equal(422)
  })
})
