import { expect } from 'chai'
import { utcTime } from './formats.ts'
import { validatorFor } from './validate.ts'

describe('utcTime', () => {
  const taken: [string, string][] = [
    ['2026-05-19T18:15:20Z', '2026-05-19T18:15:20Z'],
    ['2026-05-19t18:15:20.349538z', '2026-05-19T18:15:20.349538Z'],
    ['2026-05-19T18:15:20.349538+01:00', '2026-05-19T17:15:20.349538Z'],
    ['2026-05-19T18:15:20-0530', '2026-05-19T23:45:20Z'],
    ['2026-05-19T18:15:20 01:00', '2026-05-19T17:15:20Z'],
    ['2026-05-19 18:15:20Z', '2026-05-19T18:15:20Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00Z'],
    ['2026-05-19', '2026-05-19T00:00:00Z'],
  ]
  for (const [sent, utc] of taken) {
    it(`returns ${utc} when ${sent} is sent`, () => {
      expect(utcTime(sent)).to.equal(utc)
    })
  }

  const refused = [
    'yesterday',
    '1779214520',
    '2026-02-30',
    '2026-05-19T18:15:20',
    '2026-05-19T25:00:00Z',
    '2026-05-19T18:15:20+24:00',
    '0000-01-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:30:00-01:00',
  ]
  for (const sent of refused) {
    it(`returns null when ${sent} is sent`, () => {
      expect(utcTime(sent)).to.equal(null)
    })
  }

  it('the message of a wrong time names offsets and dates', () => {
    const schema = { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } }
    const checked = validatorFor(schema)({ at: 'now' })
    const text = checked.ok ? '' : checked.mistakes[0]?.msg
    expect(text).to.equal(
      'Input should be a time with Z or an offset, such as 2026-05-19T18:15:20Z or 2026-05-19T18:15:20+02:00, or a date, such as 2026-05-19',
    )
  })
})
