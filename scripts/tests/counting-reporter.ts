import { writeFileSync } from 'node:fs'
import Mocha from 'mocha'

/** mocha's own spec output, and its counts and failures as JSON in the file named by TEST_COUNTS. */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options)
    const titles: string[] = []
    const failed: string[] = []
    runner.on('test end', (test) => {
      if (test.state !== undefined) titles.push(test.fullTitle())
    })
    runner.on('fail', (test, error: Error) => {
      failed.push(`${test.fullTitle()}\n${error.stack ?? error.message}`)
    })
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats
      const file = process.env['TEST_COUNTS']
      if (file === undefined) return
      writeFileSync(file, JSON.stringify({ passes, failures, pending, titles, failed }))
    })
  }
}

// oxlint-disable-next-line import/no-default-export -- mocha looks for nothing else
export default CountingReporter
