import { writeFileSync } from 'node:fs'
import path from 'node:path'
import Mocha from 'mocha'

/** mocha's own spec output, and its counts, failures and durations as JSON in the file named by TEST_COUNTS. */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options)
    const titles: string[] = []
    const failed: string[] = []
    const durations: Record<string, number> = {}
    const count = (file: string | undefined, ms: number | undefined): void => {
      if (file === undefined) return
      const name = path.relative(process.cwd(), file)
      durations[name] = (durations[name] ?? 0) + (ms ?? 0)
    }
    runner.on('test end', (test) => {
      if (test.state !== undefined) titles.push(test.fullTitle())
      count(test.file, test.duration)
    })
    runner.on('hook end', (hook) => count(hook.file ?? hook.parent?.file, hook.duration))
    runner.on('fail', (test, error: Error) => {
      failed.push(`${test.fullTitle()}\n${error.stack ?? error.message}`)
    })
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats
      const file = process.env['TEST_COUNTS']
      if (file === undefined) return
      writeFileSync(file, JSON.stringify({ passes, failures, pending, titles, failed, durations }))
    })
  }
}

// oxlint-disable-next-line import/no-default-export -- mocha loads reporters by default export
export default CountingReporter
