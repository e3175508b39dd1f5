import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createOwnWrites } from './own-writes.ts'
import type { VirtualClock } from '../../testing/support/virtual-clock.ts'
import type { OwnWrites } from './own-writes.ts'

describe('own writes', () => {
  let clock: VirtualClock
  let writes: OwnWrites

  const a = { namespace: 'media', name: 'a' }

  beforeEach(() => {
    clock = createVirtualClock()
    writes = createOwnWrites({ clock })
  })

  it('returns null for an object that we never wrote', () => {
    expect(writes.waitFor('Job', a, null)).to.equal(null)
    expect(writes.waitFor('Job', a, meta('5'))).to.equal(null)
  })

  it('returns a wait, longer each time, when the copy is older than our write', () => {
    writes.wrote('Job', meta('10'))
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(() => writes.waitFor('Job', a, meta('9')))
    expect(waits).to.deep.equal([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  })

  it('returns a wait until a created object is in the cache', () => {
    writes.wrote('Job', meta('10'))
    expect(writes.waitFor('Job', a, null)).to.equal(100)
    expect(writes.waitFor('Job', a, meta('10'))).to.equal(null)
    expect(writes.size()).to.equal(0)
  })

  it('compares resource versions as numbers', () => {
    writes.wrote('Job', meta('999'))
    expect(writes.waitFor('Job', a, meta('1000'))).to.equal(null)
    writes.wrote('Job', meta('1000'))
    expect(writes.waitFor('Job', a, meta('999'))).to.equal(100)
  })

  it('returns null when a newer object has the name', () => {
    writes.wrote('Job', meta('10', 'uid-1'))
    expect(writes.waitFor('Job', a, meta('12', 'uid-2'))).to.equal(null)
  })

  it('returns null for another kind with the same name', () => {
    writes.wrote('Job', meta('10'))
    expect(writes.waitFor('Pod', a, null)).to.equal(null)
  })

  it('returns a wait until the newest of several writes is in the cache', () => {
    writes.wrote('Job', meta('12'))
    writes.wrote('Job', meta('10'))
    expect(writes.waitFor('Job', a, meta('11'))).to.equal(100)
  })

  it('forgets a write when its object is deleted, and keeps that of an object with another UID', () => {
    writes.wrote('Job', meta('10', 'uid-2'))
    writes.forget('Job', a, 'uid-1')
    expect(writes.waitFor('Job', a, null)).to.equal(100)
    writes.forget('Job', a, 'uid-2')
    expect(writes.waitFor('Job', a, null)).to.equal(null)
  })

  it('forgets each write after 20 minutes', async () => {
    writes.wrote('Job', meta('10'))
    await clock.advance(20 * 60_000 - 1)
    expect(writes.waitFor('Job', a, null)).to.equal(100)
    await clock.advance(1)
    writes.wrote('Job', { name: 'b', uid: 'b', resourceVersion: '11' })
    expect(writes.size()).to.equal(1)
    expect(writes.waitFor('Job', a, null)).to.equal(null)
  })

  function meta(resourceVersion: string, uid = 'uid-1') {
    return { ...a, uid, resourceVersion }
  }
})
