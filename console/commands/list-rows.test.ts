import { expect } from 'chai'
import fc from 'fast-check'
import { anEvent, anItem } from '../shell/samples.fixture.ts'
import { filtersIn } from './filters.ts'
import { applyEvents, newIds, rowsFor, updated } from './list-rows.ts'

const none = filtersIn(new URLSearchParams())

describe('rows of the list', () => {
  it('takes what an event says and keeps the rest of a row', () => {
    const after = updated(anItem({ metadata: { order: 17 } }), anEvent())
    expect(after).to.deep.include({
      status: 'PROCESSING',
      progress_percent: 42,
      metadata: { order: 17 },
    })
  })

  it('ignores an event that arrives after the end of its command', () => {
    const ended = anItem({ finished_at: '2026-05-19T18:15:25Z' })
    expect(updated(ended, anEvent())).to.equal(null)
  })

  it('keeps the row of a command when the list is read again', () => {
    const rows = rowsFor([anItem()], [])
    const again = rowsFor([anItem({ command_id: 'b' }), anItem({ status: 'SUCCESS' })], rows)
    expect(again[1]).to.equal(rows[0])
    expect(rows[0]?.value.status).to.equal('SUCCESS')
    expect(again.map((row) => row.value.command_id)).to.deep.equal(['b', 'a'])
  })
})

describe('rows and events', () => {
  const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'))
  const rowsOf = (all: readonly string[]) =>
    rowsFor(
      all
        .toSorted()
        .toReversed()
        .map((command_id) => anItem({ command_id })),
      [],
    )
  const eventsOf = (all: readonly string[]) => all.map((command_id) => anEvent({ command_id }))

  it('newIds returns each id above the newest row once, for any rows and events', () => {
    fc.assert(
      fc.property(ids, fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')), (shown, events) => {
        const newest = shown.toSorted().at(-1) ?? ''
        expect(new Set(newIds(rowsOf(shown), eventsOf(events), none))).to.deep.equal(
          new Set(events.filter((id) => id > newest)),
        )
        expect(newIds(rowsOf(shown), eventsOf([...events, ...events]), none)).to.deep.equal(
          newIds(rowsOf(shown), eventsOf(events), none),
        )
      }),
    )
  })

  it('newIds returns older ids too when the list has filters, where a command can come late', () => {
    const failed = filtersIn(new URLSearchParams('state=failed'))
    expect(newIds(rowsOf(['c']), eventsOf(['a', 'c']), failed)).to.deep.equal(['a'])
    expect(
      newIds(rowsOf(['c']), eventsOf(['a', 'c', 'd']), { ...failed, before: 'x' }),
    ).to.deep.equal([])
  })

  it('applyEvents gives each row the state of the last event of its command', () => {
    const rows = rowsOf(['a', 'b'])
    applyEvents(rows, [
      anEvent({ command_id: 'a', progress_percent: 10 }),
      anEvent({ command_id: 'x', progress_percent: 99 }),
      anEvent({ command_id: 'a', progress_percent: 20 }),
    ])
    expect(rows.map((row) => row.value.progress_percent)).to.deep.equal([undefined, 20])
  })
})
