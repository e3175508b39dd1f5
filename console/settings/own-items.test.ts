import { expect } from 'chai'
import fc from 'fast-check'
import { forgetOwnItems } from './own-items.ts'

/** A storage of a browser, whose names shift as items are removed. */
function storageWith(names: readonly string[]): Storage {
  const items = new Map(names.map((name) => [name, 'x']))
  return {
    get length() {
      return items.size
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    clear: () => items.clear(),
  }
}

describe('forgetOwnItems', () => {
  it('removes all items of this console from each storage, and keeps those of other programs', () => {
    const name = fc.constantFrom(
      'cloud-ffmpeg.profiles',
      'cloud-ffmpeg.draft.1',
      'cloud-ffmpeg.draft.2',
      'cloud-ffmpeg.views',
      'cloud-ffmpeg',
      'other',
      'my.cloud-ffmpeg.x',
    )
    const names = fc.uniqueArray(name)
    fc.assert(
      fc.property(names, names, (here, there) => {
        const storages = [here, there].map(storageWith)
        forgetOwnItems(storages)
        for (const [index, given] of [here, there].entries()) {
          for (const one of given) {
            const isKept = !one.startsWith('cloud-ffmpeg.')
            expect(storages[index]?.getItem(one), one).to.equal(isKept ? 'x' : null)
          }
        }
      }),
    )
  })
})
