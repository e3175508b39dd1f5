import { expect } from 'chai'
import { createLimiter } from './limiter.ts'

describe('slots', () => {
  it('hold so many tasks at a time and free themselves, also after a failure', async () => {
    const limit = createLimiter(2)
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
})
