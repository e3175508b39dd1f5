import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createStatusSync } from './sync-status.ts'

const row = { commandId: 'a', final: false, cancelRequested: false }

describe('createMirror', () => {
  it('enqueues each version of a row once, and again after 10 s', async () => {
    const clock = createVirtualClock()
    const rows = [{ ...row, version: 1 }]
    const passedOn: string[] = []
    const mirror = createStatusSync({
      store: { findUnmirrored: async () => rows },
      clock,
      enqueue: ({ commandId, final }) => passedOn.push(`${commandId} ${final}`),
    })
    const { signal } = new AbortController()
    await mirror.pass(signal)
    await mirror.pass(signal)
    expect(passedOn).to.deep.equal(['a false'])
    rows.splice(0, 1, { ...row, version: 2, final: true })
    await mirror.pass(signal)
    expect(passedOn).to.deep.equal(['a false', 'a true'])
    await clock.advance(10_000)
    await mirror.pass(signal)
    expect(passedOn).to.have.length(3)
  })

  it('passes on no version that a reconcile has read', async () => {
    const clock = createVirtualClock()
    const rows = [{ ...row, version: 2 }]
    const passedOn: string[] = []
    const mirror = createStatusSync({
      store: { findUnmirrored: async () => rows },
      clock,
      enqueue: ({ commandId }) => passedOn.push(commandId),
    })
    const { signal } = new AbortController()
    mirror.seen({ commandId: 'a', version: 2 })
    expect(await mirror.pass(signal)).to.equal(true)
    expect(passedOn).to.deep.equal([])
    mirror.seen({ commandId: 'a', version: 1 })
    await mirror.pass(signal)
    expect(passedOn).to.deep.equal(['a'])
  })
})
