import { expect } from 'chai'
import { expiryWords, keyName } from './key-words.ts'

const key = {
  ...{ key_id: '0197a0c2-6c1e-7b52-9a51-2f5f0c9d1e0a', label: null, prefix: null },
  ...{ read_only: false, created_at: '', last_used_at: null, expires_at: null, is_this_one: false },
}

describe('the words of a key', () => {
  it('names a key by its label, its first characters, or its id', () => {
    expect(keyName({ ...key, label: 'laptop', prefix: 'cff_x7Qp' })).to.equal('laptop')
    expect(keyName({ ...key, prefix: 'cff_x7Qp' })).to.equal('cff_x7Qp…')
    expect(keyName(key)).to.equal('Key 0197a0c2…')
  })

  it('say until when it is accepted', () => {
    const now = Date.parse('2026-05-19T18:00:00Z')
    const words = (at: string | null) => expiryWords(at, now)
    expect(words(null)).to.equal(null)
    expect(words('2026-05-19T18:00:00Z')).to.equal('expired')
    expect(words('2026-05-19T18:00:30Z')).to.equal('expires in 1 min')
    expect(words('2026-05-20T17:30:00Z')).to.equal('expires in 24 h')
    expect(words('2026-06-18T18:00:00Z')).to.equal('expires in 30 days')
  })
})
