import { expect } from 'chai'
import { createExpectedLooks } from './ffprobe-pool.ts'
import type { Look, LookKind } from './ffprobe-process.ts'

const kinds = ['report', 'times'].map((name): LookKind => ({ argv: [name], gentle: true }))
const [report, times] = kinds as [LookKind, LookKind]

describe('expected probes', () => {
  let started: { kind: LookKind; waiting: boolean; dropped: boolean }[]
  beforeEach(() => {
    started = []
  })

  it('wait until they are taken, each once', () => {
    const looks = createExpectedLooks(start)
    looks.expect('a', kinds)
    expect(looks.take('a', times)).not.to.equal(null)
    expect(looks.take('a', times)).to.equal(null)
    expect(looks.take('b', report)).to.equal(null)
    expect(started.map(({ kind }) => kind)).to.deep.equal(kinds)
  })

  it('are started once for a file that is written a second time', () => {
    const looks = createExpectedLooks(start)
    looks.expect('a', kinds)
    looks.expect('a', kinds)
    expect(started).to.have.length(2)
  })

  it('are not used when they have ended meanwhile, and make room for others', () => {
    const looks = createExpectedLooks(start)
    for (const file of ['a', 'b', 'c', 'd']) looks.expect(file, kinds)
    expect(started).to.have.length(6)
    for (const each of started) each.waiting = false
    looks.expect('d', kinds)
    expect(looks.take('a', report)).to.equal(null)
    expect(looks.take('d', report)).not.to.equal(null)
  })

  it('end when their file is not probed', () => {
    const looks = createExpectedLooks(start)
    looks.expect('a', kinds)
    looks.expect('b', [report])
    looks.forget('a')
    expect(started.map(({ dropped }) => dropped)).to.deep.equal([true, true, false])
    expect(looks.take('a', report)).to.equal(null)
  })

  function start(kind: LookKind): Look {
    const look = { kind, waiting: true, dropped: false }
    started.push(look)
    return {
      isWaiting: () => look.waiting,
      at: () => Promise.resolve(true),
      drop: () => {
        look.dropped = true
      },
    }
  }
})
