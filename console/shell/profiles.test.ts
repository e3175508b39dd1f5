import { expect } from 'chai'
import { merged, profilesIn } from './profiles.ts'
import { uuidV7 } from '../../cli/client/browser-effects.ts'
import { uuidV7 as serverUuidV7 } from '../../common/runtime/system-effects.ts'
import { randomBytes } from 'node:crypto'

const profile = { id: '1', name: 'prod', colour: '#2f7ed8', key: 'cff_a', keep: false }

describe('profiles', () => {
  it('reads profiles from the text of the storage, and omits anything else in it', () => {
    expect(profilesIn(JSON.stringify([profile, { id: '2' }, null, 'x']))).to.deep.equal([profile])
    for (const text of [null, '', '{', '7', 'null', '{"a":1}'])
      expect(profilesIn(text)).to.deep.equal([])
  })

  it('merges profiles that have the same key', () => {
    const other = { ...profile, id: '2', key: 'cff_b' }
    expect(merged([profile], [{ ...profile, id: '3' }, other])).to.deep.equal([profile, other])
  })
})

describe('uuidV7', () => {
  it('returns a UUID that the servers would make of the same bytes', () => {
    const random = randomBytes(16)
    const unixMs = 1_790_000_000_123
    const id = uuidV7(unixMs, random)
    expect(id).to.equal(serverUuidV7(unixMs, random.subarray(6)))
    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
