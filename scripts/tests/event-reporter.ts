import { appendFileSync } from 'node:fs'
import path from 'node:path'
import Mocha from 'mocha'
import type { TestEvent } from './events.ts'

/**
 * mocha's own spec output, and each event as a line of JSON in the file named by TEST_EVENTS: a run that is cut off leaves what
 * it knew until then. Files that run in parallel report when they end.
 */
class EventReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options)
    const events = process.env['TEST_EVENTS']
    if (events === undefined) return
    const write = (event: TestEvent) => appendFileSync(events, `${JSON.stringify(event)}\n`)
    const fileOf = ({ file }: { file?: string | undefined }) =>
      file === undefined ? '' : path.relative(process.cwd(), file)

    runner.on('test', (test) => {
      write({ kind: 'begin', file: fileOf(test), title: test.fullTitle() })
    })
    runner.on('test end', (test) => {
      // A skipped test has no `test end` of its own state.
      const state = test.state ?? 'pending'
      write({
        kind: 'end',
        file: fileOf(test),
        title: test.fullTitle(),
        state,
        ms: test.duration ?? 0,
      })
    })
    runner.on('hook end', (hook) =>
      write({ kind: 'hook', file: fileOf(hook), ms: hook.duration ?? 0 }),
    )
    runner.on('fail', (test, error: Error) => {
      write({
        kind: 'fail',
        file: fileOf(test),
        title: test.fullTitle(),
        error: error.stack ?? error.message,
      })
    })
    runner.once('end', () => write({ kind: 'done' }))
  }
}

// oxlint-disable-next-line import/no-default-export -- mocha loads reporters by default export
export default EventReporter
