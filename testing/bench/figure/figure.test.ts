import { expect } from 'chai'
import { report } from './figure.ts'

describe('report', () => {
  it('prints name, value, unit, ratio and limit, a line each', () => {
    const figures = [
      { name: 'b01.overhead.p50', value: 431.4, unit: 'ms', ratio: 1.4321, limit: 451 },
      { name: 'b01.accept.p50', value: 3.14159, unit: 'ms' },
    ] as const
    expect(report(figures)).to.equal(
      ['b01.overhead.p50 431  ms 1.43 451', 'b01.accept.p50   3.14 ms -    -'].join('\n'),
    )
  })
})
