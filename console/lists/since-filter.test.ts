import { expect } from 'chai'
import { createdSince, oneOf, sinceFilters } from './since-filter.ts'

describe('spans of time', () => {
  const now = Date.parse('2026-05-31T12:00:00Z')
  const hoursBefore = (hours: number) => new Date(now - hours * 3_600_000).toISOString()

  it('createdSince returns a time as many hours before now as the span has, and none for any time', () => {
    expect(createdSince('any', now)).to.deep.equal({})
    const spans = (['hour', 'day', 'week', 'month'] as const).map((span) => createdSince(span, now))
    expect(spans).to.deep.equal(
      [1, 24, 7 * 24, 30 * 24].map((hours) => ({ created_after: hoursBefore(hours) })),
    )
  })

  it('oneOf returns a name of the filter alone, and the default for any other text', () => {
    expect(oneOf(sinceFilters, 'week', 'any')).to.equal('week')
    for (const text of [null, '', 'Week', 'toString', '__proto__']) {
      expect(oneOf(sinceFilters, text, 'any'), String(text)).to.equal('any')
    }
  })
})
