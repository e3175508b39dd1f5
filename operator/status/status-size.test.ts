import { expect } from 'chai'
import fc from 'fast-check'
import { largestStatusBytes, storedBytes } from '../../common/kubernetes/stored-bytes.ts'
import {
  failedRow,
  row,
  runningRow,
  statusContext,
  succeededRow,
} from '../../testing/support/operator/snapshot.ts'
import { rejectedStatus, statusFor } from './state.ts'

/** Texts that grow most in etcd, and others. */
const text = fc.oneof(
  fc.string({ maxLength: 4_000 }),
  fc.integer({ min: 0, max: 4_000 }).map((length) => '<'.repeat(length)),
  fc.integer({ min: 0, max: 4_000 }).map((length) => '\u2028'.repeat(length)),
  fc.integer({ min: 0, max: 4_000 }).map((length) => '\u{1f600}'.repeat(length)),
)
const figure = fc.double({ min: 0, max: 1e9, noNaN: true })
const steps = fc.array(
  fc.record({
    index: fc.integer({ min: 0, max: 9 }),
    status: fc.constantFrom('PROCESSING' as const, 'SKIPPED' as const),
    progress_percent: figure,
    ffmpeg_command_run_seconds: figure,
    exit_code: fc.integer(),
  }),
  { minLength: 10, maxLength: 10 },
)
const output = fc.record({
  alias: fc.integer({ min: 1, max: 60 }).map((length) => `out_${'a'.repeat(length)}`),
  key: fc.integer({ min: 1, max: 2_100 }).map((length) => `public/${'a'.repeat(length)}`),
})
const outputs = fc.record({
  count: fc.integer({ min: 10, max: 200 }),
  bytes: fc.maxSafeNat(),
  first: fc.array(output, { minLength: 10, maxLength: 10 }),
})

describe('the size of a status', () => {
  it('a status has at most 8 KiB in the cluster for any texts, steps and outputs', () => {
    let largest = 0
    fc.assert(
      fc.property(text, steps, outputs, fc.boolean(), (message, ran, stored, byReference) => {
        const reason = 'WaitingForFairShare'
        const context = statusContext({
          waiting: { reason, message },
          byReference,
          jobName: 'a'.repeat(63),
        })
        const common = { steps: ran, attempt: 'a'.repeat(36) }
        for (const status of [
          statusFor(row({ ...common, queuePosition: 100 }), context),
          statusFor(runningRow({ ...common, progressPercent: 99.123_456_789 }), context),
          statusFor(failedRow({ ...common, errorMessage: message }), context),
          statusFor(succeededRow({ ...common, outputs: stored }), context),
          rejectedStatus({ reason: 'Rejected', message }, context),
        ]) {
          const bytes = storedBytes(status)
          largest = Math.max(largest, bytes)
          expect(bytes, status.reason).to.be.at.most(largestStatusBytes)
        }
      }),
      { numRuns: 300, seed: 11 },
    )
    console.log(`      largest status: ${largest} bytes`)
  })

  it('keeps a message of plain text up to 900 characters, and cuts one that grows in etcd', () => {
    const context = statusContext()
    const plain = statusFor(failedRow({ errorMessage: 'x'.repeat(900) }), context)
    expect(plain.errorMessage).to.have.length(900)
    const grown = statusFor(failedRow({ errorMessage: '<'.repeat(900) }), context)
    expect(grown.errorMessage).to.equal(`${'<'.repeat(299)}…`)
  })

  it('names the call that prints the whole command while one that refers to its request is queued', () => {
    const waiting = { reason: 'WaitingForQuota', message: 'Needs 2 vCPUs' }
    const context = statusContext({ waiting, byReference: true })
    const queued = row()
    expect(statusFor(queued, context).message).to.equal(
      `Needs 2 vCPUs; 'cloud-ffmpeg show ${queued.commandId}' prints the whole command`,
    )
    expect(statusFor(queued, { ...context, byReference: false }).message).to.equal('Needs 2 vCPUs')
    expect(statusFor(runningRow(), context).message).to.equal('A runner holds the command')
  })
})
