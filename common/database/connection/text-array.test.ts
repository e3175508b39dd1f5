import { expect } from 'chai'
import { useStore } from '../../../testing/support/database.ts'
import { textArray } from './text-array.ts'

describe('an array of texts as a parameter', () => {
  const store = useStore()

  const elements = [
    ['plain', ''],
    [null, 'after a null', null],
    ['{"a":"\\"b\\" \\\\ c"}', '{x,y}', 'NULL', ' blanks '],
    ['äöü', '日本語', '🎬', 'line\nbreak'],
  ]
  for (const values of elements) {
    it(`an array arrives unchanged when it is ${JSON.stringify(values)}`, async () => {
      const [row] = await store.query('text_array', 'select $1::text[] as values', [
        textArray(values),
      ])
      expect(row?.['values']).to.deep.equal(values)
    })
  }

  it('an array is refused when an element holds a NUL, which no text can', async () => {
    const refused = store.query('text_array', 'select $1::text[] as values', [textArray(['a\0b'])])
    const error: unknown = await refused.catch((reason: unknown) => reason)
    expect(error).to.be.an('error').with.property('code', '22021')
  })
})
