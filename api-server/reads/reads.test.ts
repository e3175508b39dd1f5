import { expect } from 'chai'
import { createBatchedReads } from './batched-reads.ts'
import { createSharedReads } from './shared-reads.ts'

/** A source whose reads end when the test says so. */
function createSource<Value>() {
  const reads: PromiseWithResolvers<Value>[] = []
  const read = () => {
    const one = Promise.withResolvers<Value>()
    reads.push(one)
    return one.promise
  }
  return { reads, read }
}

describe('createSharedReads', () => {
  it('begins the first read at once, and one more for all calls during it', async () => {
    const { reads, read } = createSource<string>()
    const shared = createSharedReads<string>()
    const first = shared('page', read)
    const later = [shared('page', read), shared('page', read)]
    expect(reads).to.have.length(1)
    reads[0]?.resolve('old')
    expect(await first).to.equal('old')
    await Promise.resolve()
    expect(reads).to.have.length(2)
    reads[1]?.resolve('new')
    expect(await Promise.all(later)).to.deep.equal(['new', 'new'])
  })

  it('a shared read does not make one key wait for another', () => {
    const { reads, read } = createSource<string>()
    const shared = createSharedReads<string>()
    void shared('page', read)
    void shared('other', read)
    expect(reads).to.have.length(2)
  })

  it('reads again after a failure, which only its own callers get', async () => {
    const { reads, read } = createSource<string>()
    const shared = createSharedReads<string>()
    const failing = shared('page', read).catch((error: unknown) => String(error))
    const next = shared('page', read)
    reads[0]?.reject(new Error('away'))
    expect(await failing).to.equal('Error: away')
    await Promise.resolve()
    reads[1]?.resolve('back')
    expect(await next).to.equal('back')
    void shared('page', read)
    expect(reads).to.have.length(3)
  })
})

describe('createBatchedReads', () => {
  it('reads the keys of one turn together, and those that come meanwhile next', async () => {
    const { reads, read } = createSource<string>()
    const batches: string[][] = []
    const batched = createBatchedReads((keys: readonly string[]) => {
      batches.push([...keys])
      return read()
    })
    const first = [batched('a'), batched('b')]
    await Promise.resolve()
    const second = batched('c')
    expect(batches).to.deep.equal([['a', 'b']])
    reads[0]?.reject(new Error('away'))
    const answers = await Promise.allSettled(first)
    expect(answers.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    await Promise.resolve()
    expect(batches).to.deep.equal([['a', 'b'], ['c']])
    reads[1]?.resolve('found')
    expect(await second).to.equal('found')
  })
})
