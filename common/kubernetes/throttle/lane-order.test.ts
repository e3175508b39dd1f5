import { expect } from 'chai'
import fc from 'fast-check'
import { createLaneOrder, requestLanes } from './lane-order.ts'
import type { RequestLane } from './lane-order.ts'

describe('order of the lanes of requests', () => {
  it('chooses the most urgent lane when no other has been passed nine times', () => {
    const order = createLaneOrder()
    const ready: RequestLane[] = ['tidy', 'show', 'end', 'start']
    const turns = Array.from({ length: 9 }, () => order.next(ready))
    expect(new Set(turns)).to.deep.equal(new Set(['start']))
  })

  it('gives each lane that always has requests 10 % of the turns, and the rest to the most urgent', () => {
    const order = createLaneOrder()
    const counts = { start: 0, end: 0, show: 0, tidy: 0 }
    for (let turn = 0; turn < 1_000; turn += 1) counts[order.next(requestLanes)] += 1
    expect(counts.start).to.be.within(697, 703)
    for (const lane of ['end', 'show', 'tidy'] as const) expect(counts[lane]).to.be.within(99, 101)
  })

  it('chooses a ready lane, and passes none more than twelve times, for any sequence of ready lanes', () => {
    const ready = fc.array(fc.subarray([...requestLanes], { minLength: 1 }), { maxLength: 200 })
    fc.assert(
      fc.property(ready, (turns) => {
        const order = createLaneOrder()
        const passed = { start: 0, end: 0, show: 0, tidy: 0 }
        for (const lanes of turns) {
          const chosen = order.next(lanes)
          expect(lanes).to.include(chosen)
          for (const lane of requestLanes) {
            const waits = lanes.includes(lane) && lane !== chosen
            passed[lane] = waits ? passed[lane] + 1 : 0
            expect(passed[lane]).to.be.at.most(12)
          }
        }
      }),
    )
  })
})
