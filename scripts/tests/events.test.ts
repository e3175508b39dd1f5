import { expect } from 'chai'
import { resultsFrom } from './events.ts'
import type { TestEvent } from './events.ts'

const text = (...events: readonly TestEvent[]) =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')

function test(
  file: string,
  title: string,
  state: 'passed' | 'failed' | 'pending' = 'passed',
): TestEvent[] {
  const failing: TestEvent[] =
    state === 'failed' ? [{ kind: 'fail', file, title, error: `${title} is wrong` }] : []
  return [{ kind: 'begin', file, title }, ...failing, { kind: 'end', file, title, state, ms: 10 }]
}

describe('resultsFrom', () => {
  it('counts the tests of each file by their state, with the time of hooks', () => {
    const events = text(
      { kind: 'hook', file: 'a.test.ts', ms: 5 },
      ...test('a.test.ts', 'one'),
      ...test('a.test.ts', 'two', 'failed'),
      ...test('b.test.ts', 'three', 'pending'),
      { kind: 'done' },
    )
    expect(resultsFrom(events)).to.deep.equal([
      {
        file: 'a.test.ts',
        isComplete: true,
        passed: 1,
        pending: 0,
        failures: [{ title: 'two', error: 'two is wrong' }],
        ms: 25,
        running: null,
      },
      {
        file: 'b.test.ts',
        isComplete: true,
        passed: 0,
        pending: 1,
        failures: [],
        ms: 10,
        running: null,
      },
    ])
  })

  it('names the test during which the events ended, and takes no half of a line', () => {
    const events = text(...test('a.test.ts', 'one'), ...test('b.test.ts', 'two').slice(0, 1))
    const [first, second] = resultsFrom(`${events}{"kind":"end","fi`)
    expect(first).to.include({ isComplete: true, running: null })
    expect(second).to.include({ isComplete: false, running: 'two', passed: 0 })
  })

  it('takes the last file for cut off while nothing shows that it ended', () => {
    const [only] = resultsFrom(text(...test('a.test.ts', 'one')))
    expect(only).to.include({ isComplete: false, passed: 1 })
  })

  it('counts a failed hook, also of the root, for the file beside which it ran', () => {
    const events = text(
      ...test('a.test.ts', 'one'),
      { kind: 'fail', file: '', title: '"after all" hook', error: 'broken' },
      { kind: 'done' },
    )
    const [only] = resultsFrom(events)
    expect(only?.failures).to.deep.equal([{ title: '"after all" hook', error: 'broken' }])
  })
})
