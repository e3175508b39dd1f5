import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { createOwnWrites } from './own-writes.ts'
import type { VirtualClock } from '../../testing/support/virtual-clock.ts'
import type { OwnWrites } from './own-writes.ts'

describe('own writes', () => {
  let clock: VirtualClock
  let writes: OwnWrites

  beforeEach(() => {
    clock = createVirtualClock()
    writes = createOwnWrites({ clock })
  })

  it('lets pass what we never wrote', () => {
    expect(writes.waitFor('Job', 'a', null)).to.equal(null)
    expect(writes.waitFor('Job', 'a', meta('5'))).to.equal(null)
  })

  it('holds back a copy that is older than our write, longer each time', () => {
    writes.wrote('Job', meta('10'))
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(() => writes.waitFor('Job', 'a', meta('9')))
    expect(waits).to.deep.equal([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  })

  it('holds back until a created object is in the cache', () => {
    writes.wrote('Job', meta('10'))
    expect(writes.waitFor('Job', 'a', null)).to.equal(100)
    expect(writes.waitFor('Job', 'a', meta('10'))).to.equal(null)
    expect(writes.size()).to.equal(0)
  })

  it('compares versions as numbers', () => {
    writes.wrote('Job', meta('999'))
    expect(writes.waitFor('Job', 'a', meta('1000'))).to.equal(null)
    writes.wrote('Job', meta('1000'))
    expect(writes.waitFor('Job', 'a', meta('999'))).to.equal(100)
  })

  it('lets a newer object of the same name pass', () => {
    writes.wrote('Job', meta('10', 'uid-1'))
    expect(writes.waitFor('Job', 'a', meta('12', 'uid-2'))).to.equal(null)
  })

  it('does not confuse kinds that share a name', () => {
    writes.wrote('Job', meta('10'))
    expect(writes.waitFor('Pod', 'a', null)).to.equal(null)
  })

  it('keeps the newest of several writes', () => {
    writes.wrote('Job', meta('12'))
    writes.wrote('Job', meta('10'))
    expect(writes.waitFor('Job', 'a', meta('11'))).to.equal(100)
  })

  it('forgets a deleted object, but not its successor', () => {
    writes.wrote('Job', meta('10', 'uid-2'))
    writes.forget('Job', 'a', 'uid-1')
    expect(writes.waitFor('Job', 'a', null)).to.equal(100)
    writes.forget('Job', 'a', 'uid-2')
    expect(writes.waitFor('Job', 'a', null)).to.equal(null)
  })

  it('holds nothing back for longer than 20 minutes, and remembers nothing longer', async () => {
    writes.wrote('Job', meta('10'))
    await clock.advance(20 * 60_000 - 1)
    expect(writes.waitFor('Job', 'a', null)).to.equal(100)
    await clock.advance(1)
    writes.wrote('Job', { name: 'b', uid: 'b', resourceVersion: '11' })
    expect(writes.size()).to.equal(1)
    expect(writes.waitFor('Job', 'a', null)).to.equal(null)
  })

  function meta(resourceVersion: string, uid = 'uid-1') {
    return { name: 'a', uid, resourceVersion }
  }
})
