import { expect } from 'chai'
import { expiryWords, keyName, lifetimes, useWords } from './key-words.ts'

const key = {
  key_id: '0197a0c2-6c1e-7b52-9a51-2f5f0c9d1e0a',
  label: null,
  prefix: null,
  read_only: false,
  created_at: '',
  last_used_at: null,
  expires_at: null,
  is_this_one: false,
}

describe('the words of a key', () => {
  it('names a key by its label, its first characters, or its id', () => {
    expect(keyName({ ...key, label: 'laptop', prefix: 'cff_x7Qp' })).to.equal('laptop')
    expect(keyName({ ...key, prefix: 'cff_x7Qp' })).to.equal('cff_x7Qp…')
    expect(keyName(key)).to.equal('Key 0197a0c2…')
  })

  it('the words of a key say until when it is accepted', () => {
    const now = Date.parse('2026-05-19T18:00:00Z')
    const words = (at: string | null) => expiryWords(at, now)
    expect(words(null)).to.equal(null)
    expect(words('2026-05-19T18:00:00Z')).to.equal('expired')
    expect(words('2026-05-19T18:00:30Z')).to.equal('expires in 1 min')
    expect(words('2026-05-20T17:30:00Z')).to.equal('expires in 24 h')
    expect(words('2026-06-18T18:00:00Z')).to.equal('expires in 30 days')
  })
})

describe('useWords', () => {
  it('useWords says when a key was used last, to the minute that the service records', () => {
    const now = Date.parse('2026-05-19T18:00:00Z')
    expect(useWords(null, now)).to.equal('not used yet')
    expect(useWords('2026-05-19T17:58:01Z', now)).to.equal('used just now')
    expect(useWords('2026-05-19T17:58:00Z', now)).to.equal('used 2 min ago')
    expect(useWords('2026-05-17T18:00:00Z', now)).to.equal('used 2 d ago')
    expect(useWords('2026-05-19T18:00:05Z', now), 'a clock that is behind').to.equal(
      'used just now',
    )
  })

  it('offers lifetimes of keys that grow, after one that never ends', () => {
    const seconds = lifetimes.map((one) => one.seconds ?? Infinity)
    expect(seconds[0]).to.equal(Infinity)
    expect(seconds.slice(1)).to.deep.equal(seconds.slice(1).toSorted((a, b) => a - b))
  })
})
