import { expect } from 'chai'
import { createdSince } from './since-filter.ts'

describe('createdSince', () => {
  const now = Date.parse('2026-05-31T12:00:00Z')
  const hoursBefore = (hours: number) => new Date(now - hours * 3_600_000).toISOString()

  it('createdSince returns a time as many hours before now as the span has, and none for any time', () => {
    expect(createdSince('any', now)).to.deep.equal({})
    const spans = (['hour', 'day', 'week', 'month'] as const).map((span) => createdSince(span, now))
    expect(spans).to.deep.equal(
      [1, 24, 7 * 24, 30 * 24].map((hours) => ({ created_after: hoursBefore(hours) })),
    )
  })
})
