import { expect } from 'chai'
import { percentile, spanOf, usageBuckets } from './usage-buckets.ts'
import type { UsageHour } from '../../common/store/limits.ts'

const at = (text: string) => Date.parse(text)
const hour = (text: string, change: Partial<UsageHour> = {}): UsageHour => ({
  hour: new Date(text),
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  errors: {},
  processingBytes: 0,
  vcpuSeconds: 0,
  ffmpegSeconds: 0,
  waits: {},
  peakVcpus: 0,
  storedBytes: null,
  ...change,
})

describe('buckets of usage', () => {
  const now = at('2026-05-19T18:20:00Z')

  it('buckets of usage are whole hours or days, the present one included', () => {
    expect(spanOf({ bucket: 'hour' }, now)).to.deep.equal({
      from: at('2026-05-12T18:00:00Z'),
      to: at('2026-05-19T19:00:00Z'),
      step: 3_600_000,
    })
    const days = {
      from: '2026-05-17T23:59:00Z',
      to: '2026-05-19T00:00:00Z',
      bucket: 'day',
    } as const
    expect(spanOf(days, now)).to.deep.equal({
      from: at('2026-05-17T00:00:00Z'),
      to: at('2026-05-19T00:00:00Z'),
      step: 86_400_000,
    })
  })

  it('buckets of usage add up the hours of a day, and include days without figures', () => {
    const span = spanOf({ from: '2026-05-18T00:00:00Z', bucket: 'day' }, now)
    const hours = [
      hour('2026-05-19T03:00:00Z', {
        succeeded: 2,
        failed: 1,
        errors: { TIMEOUT: 1 },
        waits: { 0: 2, 8: 1 },
        peakVcpus: 8,
        processingBytes: 1_048_576,
        vcpuSeconds: 4,
        ffmpegSeconds: 1,
      }),
      hour('2026-05-19T03:00:00Z', {
        cancelled: 3,
        failed: 1,
        errors: { TIMEOUT: 1 },
        waits: { 8: 1 },
        peakVcpus: 4,
      }),
    ]
    const history = { hours, storedBytesBefore: null, storedBytesNow: 2_097_152 }
    expect(usageBuckets(span, history, now)).to.deep.equal([
      {
        start: '2026-05-18T00:00:00.000000Z',
        commands: { succeeded: 0, failed: 0, cancelled: 0 },
        errors: {},
        processed_mbytes: 0,
        vcpu_seconds: 0,
        ffmpeg_seconds: 0,
        peak_vcpu: 0,
        wait_seconds: { p50: null, p95: null },
        storage_mbytes: null,
      },
      {
        start: '2026-05-19T00:00:00.000000Z',
        commands: { succeeded: 2, failed: 2, cancelled: 3 },
        errors: { TIMEOUT: 2 },
        processed_mbytes: 1,
        vcpu_seconds: 4,
        ffmpeg_seconds: 1,
        peak_vcpu: 8,
        wait_seconds: { p50: 1, p95: 2 },
        storage_mbytes: 2,
      },
    ])
  })

  it('buckets of usage carry the stored bytes on to hours without a change, up to now', () => {
    const span = spanOf(
      { from: '2026-05-19T15:00:00Z', to: '2026-05-19T20:00:00Z', bucket: 'hour' },
      now,
    )
    const hours = [hour('2026-05-19T16:00:00Z', { storedBytes: 3_145_728 })]
    const history = { hours, storedBytesBefore: 1_048_576, storedBytesNow: 0 }
    expect(usageBuckets(span, history, now).map((one) => one.storage_mbytes)).to.deep.equal([
      1,
      3,
      3,
      0,
      null,
    ])
  })
})

describe('percentiles of waits', () => {
  it('returns the class of the nearest rank as percentile', () => {
    const waits = { '-53': 10, 8: 9, 40: 1 }
    expect([0.5, 0.51, 0.95, 0.96].map((one) => percentile(waits, one))).to.deep.equal([
      0.0101, 2, 2, 32,
    ])
    expect(percentile({}, 0.5)).to.equal(null)
  })
})
