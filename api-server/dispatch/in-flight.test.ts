import { expect } from 'chai'
import { newCommand } from '../../testing/store-contract/fixtures.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createInFlight } from './in-flight.ts'

const dispatched = { accountName: 'default', dispatchKey: 'secret', jobGeneration: 0 }
const row = (tries = 0) => ({ ...newCommand('a'), ...dispatched, tries })

function filled(count: number, tries = 0) {
  const clock = createVirtualClock()
  const inFlight = createInFlight(clock)
  const rows = Array.from({ length: count }, () => row(tries))
  for (const each of rows) inFlight.add(each)
  return { clock, inFlight, rows }
}

describe('rows in flight', () => {
  it('rows in flight are claimed 16 at a time, those that failed before four times a second', async () => {
    const { inFlight, clock } = filled(0)
    expect(inFlight.claim()).to.deep.equal({ limit: 16, retries: true })
    expect(inFlight.claim()).to.deep.equal({ limit: 16, retries: false })
    await clock.advance(250)
    expect(inFlight.claim()).to.deep.equal({ limit: 16, retries: true })
  })

  it('rows in flight leave three quarters of the slots to new rows', () => {
    expect(filled(10, 1).inFlight.claim()).to.deep.equal({ limit: 6, retries: true })
    expect(filled(16, 1).inFlight.claim()).to.deep.equal({ limit: 16, retries: false })
  })

  it('rows in flight fill 64 slots, and release them after a quarter of a second', async () => {
    const { inFlight, clock } = filled(64)
    expect(inFlight.claim()).to.equal(null)
    expect(inFlight.hasRoom()).to.equal(false)
    await clock.advance(250)
    expect(inFlight.claim()?.limit).to.equal(16)
    expect(inFlight.size()).to.equal(64)
  })

  it('keeps at most 128 rows in flight', async () => {
    const { inFlight, clock, rows } = filled(128)
    await clock.advance(10_000)
    expect(inFlight.claim()).to.equal(null)
    for (const each of rows.slice(0, 3)) inFlight.remove(each)
    expect(inFlight.claim()?.limit).to.equal(3)
  })

  it('rows in flight contain each row once, also when its lease expired and it was claimed again', () => {
    const { inFlight, rows } = filled(1)
    expect(rows.map((each) => inFlight.add(each))).to.deep.equal([false])
  })
})
