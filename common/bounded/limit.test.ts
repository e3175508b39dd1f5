import { expect } from 'chai'
import { createLimit } from './limit.ts'

describe('createLimit', () => {
  it('runs so many tasks at a time and starts the next one after an end or a failure', async () => {
    const limit = createLimit(2)
    const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<number>())
    const started: number[] = []
    const results = gates.map((gate, index) =>
      limit(() => {
        started.push(index)
        return gate.promise
      }),
    )
    const settled = Promise.allSettled(results)
    expect(started).to.deep.equal([0, 1])
    gates[1]?.reject(new Error('failed'))
    await results[1]?.catch(() => undefined)
    await Promise.resolve()
    expect(started).to.deep.equal([0, 1, 2])
    gates.forEach((gate, index) => gate.resolve(index))
    expect((await settled).map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(started).to.deep.equal([0, 1, 2, 3])
  })

  it('the number of running tasks never exceeds the limit when a task arrives between end and start', async () => {
    const limit = createLimit(1)
    let running = 0
    let most = 0
    const task = async (): Promise<void> => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
    }
    const gate = Promise.withResolvers<void>()
    const first = limit(() => gate.promise)
    const second = limit(task)
    // This reaction runs after the end of the first task and before the start of the second one.
    const third = gate.promise.then(() => limit(task))
    gate.resolve()
    await Promise.all([first, second, third])
    expect(most).to.equal(1)
  })
})
