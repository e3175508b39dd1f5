import { expect } from 'chai'
import type { ProgressAnswer, ProgressReport } from '../../../common/gateway/messages.ts'
import { createAttempt } from './attempt.ts'
import type { Attempt } from './attempt.ts'
import { startReporting } from './progress-reporter.ts'
import type { ProgressReporter } from './progress-reporter.ts'
import { createStepLogs } from './step-logs.ts'
import type { StepLogs } from './step-logs.ts'
import { testEffects } from '../../../testing/runner/test-effects.ts'
import type { TestEffects } from '../../../testing/runner/test-effects.ts'

const running = { status: 'PROCESSING', stage: 'FFMPEG_PROCESSING' } as const

describe('reporting progress', () => {
  let effects: TestEffects
  let attempt: Attempt
  let logs: StepLogs
  let reporter: ProgressReporter
  let sent: { at: number; report: ProgressReport }[]
  let answer: ProgressAnswer | null | Error
  let cancelled: number
  let ended: unknown[]

  beforeEach(() => {
    // No wait is over by itself here: the test lets time pass.
    effects = testEffects(0)
    attempt = createAttempt(1)
    logs = createStepLogs()
    sent = []
    answer = { cancel: false }
    cancelled = 0
    ended = []
    reporter = startReporting({
      attempt,
      logs,
      clock: effects.clock,
      gateway: {
        async progress(report) {
          sent.push({ at: effects.clock.monotonicMs(), report })
          if (answer instanceof Error) throw answer
          return answer
        },
      },
      onCancel: () => {
        cancelled++
      },
      onEnded: (error) => ended.push(error),
    })
  })

  it('sends nothing but a heartbeat while nothing changes', async () => {
    await pass(20)
    expect(sent.map(({ at }) => at)).to.deep.equal([5000, 10_000, 15_000, 20_000])
  })

  it('sends changes at most once a second', async () => {
    attempt.stepStarted(0)
    for (let tenth = 1; tenth <= 30; tenth++) {
      attempt.stepReached(0, { seconds: 10, frames: null }, { outTimeUs: tenth * 1e5, frame: null })
      await pass(0.1)
    }
    expect(sent.map(({ report }) => report.progressPercent)).to.deep.equal([10, 20, 30])
  })

  it('sends a stage at once when the last report is a second old', async () => {
    await pass(1.5)
    attempt.moveTo(running)
    reporter.notify()
    reporter.notify()
    expect(sent.map(({ at, report }) => [at, report.stage])).to.deep.equal([
      [1500, 'FFMPEG_PROCESSING'],
    ])
  })

  it('sends nothing in the first second, which is all that a short command takes', async () => {
    attempt.moveTo(running)
    reporter.notify()
    await pass(0.9)
    expect(sent).to.deep.equal([])
    await pass(0.1)
    expect(sent.map(({ report }) => report.stage)).to.deep.equal(['FFMPEG_PROCESSING'])
  })

  it('sends lines every two seconds, again when the report got lost', async () => {
    answer = null
    logs.add(0, ['a'], 0)
    await pass(1)
    answer = { cancel: false }
    await pass(2)
    logs.add(0, ['b'], 0)
    await pass(2)
    expect(sent.map(({ at, report }) => [at, report.logs.map(({ text }) => text)])).to.deep.equal([
      [1000, ['a\n']],
      [3000, ['a\n']],
      [5000, ['b\n']],
    ])
  })

  it('cancels the attempt when the gateway answers with a cancel', async () => {
    answer = { cancel: true }
    await pass(5)
    expect(cancelled).to.equal(1)
  })

  it('ends the attempt when the gateway refuses its report', async () => {
    answer = new Error('superseded')
    await pass(5)
    expect(ended).to.deep.equal([answer])
  })

  it('reports nothing once stopped', async () => {
    reporter.stop()
    await pass(20)
    expect(sent).to.deep.equal([])
  })

  async function pass(seconds: number): Promise<void> {
    for (let step = 0; step < seconds * 10; step++) {
      effects.advance(100)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
})
