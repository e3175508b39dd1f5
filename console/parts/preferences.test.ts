import { expect } from 'chai'
import { preferencesIn } from './preferences.ts'

describe('preferences in a text of the storage', () => {
  const defaults = {
    theme: 'system',
    density: 'comfortable',
    zone: 'local',
    motion: 'system',
    letters: 'on',
  }

  it('preferences are the defaults where the text is absent, unreadable or of another kind', () => {
    for (const text of [null, '', '{', '7', 'null', '[]']) {
      expect(preferencesIn(text), String(text)).to.deep.equal(defaults)
    }
  })

  it('preferences keep each known value and replace an unknown one', () => {
    const text = JSON.stringify({
      theme: 'dark',
      density: 'tiny',
      zone: 'utc',
      letters: 'off',
      sound: 'on',
    })
    expect(preferencesIn(text)).to.deep.equal({
      ...defaults,
      theme: 'dark',
      zone: 'utc',
      letters: 'off',
    })
  })
})
