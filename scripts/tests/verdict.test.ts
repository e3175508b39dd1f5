import { expect } from 'chai'
import { toRunAgain, verdictOf } from './verdict.ts'
import type { FileResult } from './events.ts'

const result = (file: string, passed: number, ...failing: readonly string[]): FileResult => ({
  file,
  isComplete: true,
  passed,
  pending: 0,
  failures: failing.map((title) => ({ title, error: 'wrong' })),
  ms: 30_000,
  running: null,
})
const counts = ({ passed, failed }: { passed: number; failed: number }) => [passed, failed]

describe('verdictOf', () => {
  it('counts a test that fails at first and passes alone as passed, and names it as unstable', () => {
    const first = [result('a.test.ts', 4, 'one'), result('b.test.ts', 2)]
    expect(toRunAgain(first)).to.deep.equal(['a.test.ts'])
    const verdict = verdictOf(['a.test.ts', 'b.test.ts'], first, [result('a.test.ts', 5)])
    expect(counts(verdict)).to.deep.equal([7, 0])
    expect(verdict.unstable.map(({ title }) => title)).to.deep.equal(['one'])
  })

  it('counts a test that fails twice as failed, with what else failed in its file', () => {
    const again = [result('a.test.ts', 3, 'one', 'two')]
    const verdict = verdictOf(['a.test.ts'], [result('a.test.ts', 4, 'one')], again)
    expect(counts(verdict)).to.deep.equal([3, 2])
    expect(verdict.unstable).to.deep.equal([])
  })

  it('counts a failed test that did not run again as failed', () => {
    const verdict = verdictOf(['a.test.ts'], [result('a.test.ts', 4, 'one')], [])
    expect(counts(verdict)).to.deep.equal([4, 1])
  })

  it('counts all unstable tests as failed when there are more than three', () => {
    const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.test.ts`)
    const first = names.map((name) => result(name, 1, 'one'))
    const again = names.map((name) => result(name, 2))
    expect(counts(verdictOf(names, first, again))).to.deep.equal([4, 4])
    const three = verdictOf(names.slice(1), first.slice(1), again)
    expect(counts(three)).to.deep.equal([6, 0])
    expect(three.unstable).to.have.length(3)
  })

  it('counts the tests behind a hook that failed at first once they have run', () => {
    const first = [result('a.test.ts', 0, '"before all" hook')]
    const verdict = verdictOf(['a.test.ts'], first, [result('a.test.ts', 12)])
    expect(counts(verdict)).to.deep.equal([12, 0])
  })

  it('counts each file without a result, or with half of one, as a failure', () => {
    const half = { ...result('b.test.ts', 3), isComplete: false, running: 'four' }
    const names = ['a.test.ts', 'b.test.ts', 'c.test.ts']
    const verdict = verdictOf(names, [result('a.test.ts', 1), half], [])
    expect(verdict.notRun).to.deep.equal(['b.test.ts', 'c.test.ts'])
    expect(counts(verdict)).to.deep.equal([4, 2])
  })

  it('the verdict has a row for each part that ran, with its minutes', () => {
    const names = ['a.test.ts', 'e2e/console/b.machine.test.ts', 'e2e/stories/c.story.ts']
    const { parts } = verdictOf(
      names,
      names.map((name) => result(name, 2)),
      [],
    )
    expect(parts).to.deep.equal(
      ['quick', 'console', 'stories'].map((part) => ({ part, passed: 2, failed: 0, minutes: 0.5 })),
    )
  })
})
