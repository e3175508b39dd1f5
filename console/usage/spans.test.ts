import { expect } from 'chai'
import fc from 'fast-check'
import { isOfOneDay, queryOf, requestOf, shownIn, spans } from './spans.ts'

describe('spans of the charts', () => {
  const anyShown = fc
    .record({
      span: fc.constantFrom(...spans),
      by: fc.constantFrom('hour' as const, 'day' as const),
    })
    .map(({ span, by }) => ({ span, by: span === '24h' ? ('hour' as const) : by }))

  it('reads a span of the charts from an address as it was written, for any span and bar', () => {
    fc.assert(
      fc.property(anyShown, (shown) => {
        expect(shownIn(new URLSearchParams(queryOf(shown).toString()))).to.deep.equal(shown)
      }),
    )
  })

  it('requestOf returns a span of at most 31 days that ends now, at any time', () => {
    const time = fc.date({
      min: new Date('2026-01-01'),
      max: new Date('2030-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(anyShown, time, (shown, now) => {
        const { from, to } = requestOf(shown, now.getTime())
        const hours = (Date.parse(to) - Date.parse(from)) / 3_600_000
        expect(to).to.equal(now.toISOString())
        expect(hours).to.be.within(0, 31 * 24)
        if (shown.span === 'month') expect(from).to.match(/-01T00:00:00\.000Z$/)
      }),
    )
  })

  it('isOfOneDay finds an account whose commands all ended within the last 24 hours', () => {
    const now = Date.parse('2026-11-29T12:00:00Z')
    const bucket = (start: string, failed: number) => ({
      start,
      commands: { succeeded: 0, failed, cancelled: 0 },
    })
    const today = bucket('2026-11-28T12:00:00Z', 3)
    expect(isOfOneDay([bucket('2026-11-28T11:00:00Z', 0), today], now)).to.equal(true)
    expect(isOfOneDay([bucket('2026-11-28T11:00:00Z', 1), today], now)).to.equal(false)
    expect(isOfOneDay([], now)).to.equal(true)
  })
})
