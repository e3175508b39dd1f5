import { expect } from 'chai'
import { createFfprobePool } from './ffprobe-pool.ts'
import type { FfprobeProcess, ProbeKind } from './ffprobe-process.ts'

const kinds = ['report', 'times'].map((name): ProbeKind => ({ argv: [name], gentle: true }))
const [report, times] = kinds as [ProbeKind, ProbeKind]

describe('expected probes', () => {
  let started: { kind: ProbeKind; waiting: boolean; dropped: boolean }[]
  beforeEach(() => {
    started = []
  })

  it('expected probes wait until they are taken, each once', () => {
    const pool = createFfprobePool(start)
    pool.expect('a', kinds)
    expect(pool.take('a', times)).not.to.equal(null)
    expect(pool.take('a', times)).to.equal(null)
    expect(pool.take('b', report)).to.equal(null)
    expect(started.map(({ kind }) => kind)).to.deep.equal(kinds)
  })

  it('expected probes are started once for a file that is written a second time', () => {
    const pool = createFfprobePool(start)
    pool.expect('a', kinds)
    pool.expect('a', kinds)
    expect(started).to.have.length(2)
  })

  it('expected probes are not used when they have ended meanwhile, and make room for others', () => {
    const pool = createFfprobePool(start)
    for (const file of ['a', 'b', 'c', 'd']) pool.expect(file, kinds)
    expect(started).to.have.length(6)
    for (const each of started) each.waiting = false
    pool.expect('d', kinds)
    expect(pool.take('a', report)).to.equal(null)
    expect(pool.take('d', report)).not.to.equal(null)
  })

  it('expected probes end when their file is not probed', () => {
    const pool = createFfprobePool(start)
    pool.expect('a', kinds)
    pool.expect('b', [report])
    pool.forget('a')
    expect(started.map(({ dropped }) => dropped)).to.deep.equal([true, true, false])
    expect(pool.take('a', report)).to.equal(null)
  })

  function start(kind: ProbeKind): FfprobeProcess {
    const process = { kind, waiting: true, dropped: false }
    started.push(process)
    return {
      isWaiting: () => process.waiting,
      at: () => Promise.resolve(true),
      drop: () => {
        process.dropped = true
      },
    }
  }
})
