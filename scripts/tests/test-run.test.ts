import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { useFolder } from '../../testing/support/mocha.ts'
import { until } from '../../testing/support/until.ts'
import { deadlineFrom, unlessAborted } from './deadline.ts'
import { cutOff } from './summary.ts'
import { createTestRun } from './test-run.ts'
import { toRunAgain, verdictOf } from './verdict.ts'

/** Real mocha processes over files of their own. */
describe('a run of tests', () => {
  const at = useFolder()
  const root = path.resolve(import.meta.dirname, '../..')
  const never = new AbortController().signal

  async function written(name: string, body: string): Promise<string> {
    await writeFile(at(name), `describe('${name}', () => { ${body} })\n`)
    return path.relative(root, at(name))
  }
  const passing = (name: string) => written(name, `it('passes', () => {})`)
  const open = (resume = false, signal = never) =>
    createTestRun({ folder: at('events'), signal, resume })

  it('a run of tests goes on behind a file in which the process ends, and says where it ended', async () => {
    const files = [
      await passing('a.mjs'),
      await written('b.mjs', `it('ends the process', () => process.exit(7))`),
      await passing('c.mjs'),
    ]
    const run = await open()
    await run.run(files, { label: 'inner' })
    const results = run.results()
    expect(results.map(({ passed }) => passed)).to.deep.equal([1, 0, 1])
    expect(results[1]?.failures).to.deep.equal([
      {
        title: 'b.mjs ends the process',
        error: 'mocha ended with exit code 7 before the file had ended',
      },
    ])
  })

  it('finds the file that ends the process among those that run at the same time', async () => {
    const files = [
      await written('a.mjs', `setTimeout(() => process.exit(3)); it('waits', (done) => {})`),
      await passing('b.mjs'),
    ]
    const run = await open()
    await run.run(files, { label: 'inner', jobs: 2 })
    expect(toRunAgain(run.results())).to.deep.equal(files.slice(0, 1))
  })

  it('runs a failed file again in a process of its own', async () => {
    const file = await written(
      'a.mjs',
      `it('fails at first', () => {
        const fs = process.getBuiltinModule('fs')
        if (fs.existsSync('${at('ran')}')) return
        fs.writeFileSync('${at('ran')}', '')
        throw new Error('not yet')
      })`,
    )
    const run = await open()
    await run.run([file], { label: 'inner' })
    expect(toRunAgain(run.results())).to.deep.equal([file])
    const [again] = await run.runAgain([file], { label: 'inner' })
    expect(again).to.include({ file, passed: 1, isComplete: true })
  })

  it('a run of tests goes on where a deadline cut it off, and names what ran and what had not begun', async () => {
    const waiting = `it('waits', (done) => { process.getBuiltinModule('fs').existsSync('${at('go')}') ? done() : setInterval(() => {}, 1e6) })`
    const files = [await passing('a.mjs'), await written('b.mjs', waiting), await passing('c.mjs')]
    const deadline = new AbortController()
    const cut = await open(false, deadline.signal)
    const ended = unlessAborted(deadline.signal, cut.run(files, { label: 'inner' }))
    const begun = () => readFile(at('events', '001.ndjson'), 'utf8')
    await until(async () => (await begun()).includes('"title":"b.mjs waits"'))
    deadline.abort()
    await ended
    const [, hanging] = cut.results()
    expect(hanging).to.include({ isComplete: false, running: 'b.mjs waits' })
    expect(cutOff(cut.results(), 60)).to.match(
      /deadline of 60 s[^]*Running:\n {2}\S*b\.mjs: b\.mjs waits$/,
    )
    expect(verdictOf(files, cut.results(), []).notRun).to.deep.equal(files.slice(1))

    await writeFile(at('go'), '')
    const resumed = await open(true)
    expect(resumed.results().map(({ file }) => file)).to.deep.equal(files.slice(0, 1))
    await resumed.run(files, { label: 'inner' })
    expect(resumed.results().map(({ passed }) => passed)).to.deep.equal([1, 1, 1])
  })
})

describe('deadlineFrom', () => {
  it('a run has no deadline without TEST_DEADLINE_SECONDS', () => {
    const { seconds, signal } = deadlineFrom('')
    expect([seconds, signal.aborted]).to.deep.equal([Infinity, false])
  })

  it('refuses what is not a positive number', () => {
    for (const text of ['soon', '0', '-5']) {
      expect(() => deadlineFrom(text)).to.throw(/must be a positive number; got/)
    }
  })
})
