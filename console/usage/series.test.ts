import { expect } from 'chai'
import fc from 'fast-check'
import { axisEnd, charts, heightOf, pathOf } from './series.ts'
import type { UsageBucket } from '../../common/openapi/openapi-types.ts'
import type { Chart } from './series.ts'

/** With three decimals, as the API has them. */
const figures = fc.nat(1e10).map((count) => count / 1_000)
const anyBucket: fc.Arbitrary<UsageBucket> = fc.record({
  start: fc.constant('2026-05-19T18:00:00.000000Z'),
  commands: fc.record({ succeeded: fc.nat(), failed: fc.nat(), cancelled: fc.nat() }),
  errors: fc.constant({}),
  processed_mbytes: figures,
  vcpu_seconds: figures,
  ffmpeg_seconds: figures,
  wait_seconds: fc
    .tuple(figures, figures)
    .map(([a, b]) => ({ p50: Math.min(a, b), p95: Math.max(a, b) })),
  peak_vcpu: fc.nat(1_000),
  storage_mbytes: fc.option(figures),
})

describe('bars of the charts', () => {
  const axis = fc.constantFrom<Chart['axis'][]>('count', 'time', 'size')

  it('axisEnd returns at least the largest value and at most 2.5 times it, for any value', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e9, noNaN: true }), axis, (most, of) => {
        expect(axisEnd(most, of)).to.be.within(most, most * 2.5)
      }),
    )
    expect([0, -1].map((most) => axisEnd(most, 'time'))).to.deep.equal([1, 1])
  })

  it('pathOf draws each value that is not 0 within the axis, for any figures of any chart', () => {
    const chart = fc.constantFrom(...charts)
    fc.assert(
      fc.property(chart, fc.array(anyBucket, { minLength: 1, maxLength: 4 }), (one, buckets) => {
        const end = axisEnd(Math.max(...buckets.map((bucket) => heightOf(one, bucket))), one.axis)
        for (const part of one.parts) {
          const bars = [
            ...pathOf(one, part, { buckets, end }).matchAll(/M(\d+) ([\d.-]+)v-([\d.]+)h/g),
          ]
          const seen = buckets.filter((bucket) => (part.of(bucket) ?? 0) > 0)
          expect(bars).to.have.length(seen.length)
          for (const [, , bottom, height] of bars) {
            expect(Number(bottom)).to.be.within(-0.001, 1)
            // A value that is not zero is seen, a hundredth at least.
            expect(Number(bottom) - Number(height)).to.be.at.least(-0.011)
          }
        }
      }),
    )
  })
})
