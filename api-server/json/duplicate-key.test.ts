import { expect } from 'chai'
import fc from 'fast-check'
import { duplicateKey } from './duplicate-key.ts'

describe('duplicateKey', () => {
  const duplicates: [string, string, [string, string]][] = [
    ['{"a":1,"a":2}', 'a', ['line 1, column 8', 'line 1, column 2']],
    ['{\n  "a": 1,\n  "b": 2,\n  "a": 1\n}', 'a', ['line 4, column 3', 'line 2, column 3']],
    ['{"x":{"in_1":"p","in_1":"q"}}', 'in_1', ['line 1, column 18', 'line 1, column 7']],
    ['[{"x":[{}, {"k":[],"k":{}}]}]', 'k', ['line 1, column 20', 'line 1, column 13']],
    [String.raw`{"in_1":1,"\u0069n_1":2}`, 'in_1', ['line 1, column 11', 'line 1, column 2']],
    [String.raw`{"a\"":"\\","a\"":2}`, 'a"', ['line 1, column 13', 'line 1, column 2']],
    ['{"":1,"":2}', '', ['line 1, column 7', 'line 1, column 2']],
    ['{"__proto__":1,"__proto__":2}', '__proto__', ['line 1, column 16', 'line 1, column 2']],
  ]
  for (const [text, key, [second, first]] of duplicates) {
    it(`names '${key}' of ${JSON.stringify(text)} with both places`, () => {
      expect(() => JSON.parse(text) as unknown).not.to.throw()
      expect(duplicateKey(text)).to.equal(
        `the key '${key}' stands twice (${second}, and ${first}); leave one of them out`,
      )
    })
  }

  it('shows the beginning of a long key', () => {
    const key = 'k'.repeat(5_000)
    expect(duplicateKey(`{"${key}":1,"${key}":2}`)).to.have.length.below(200)
  })

  const clear = [
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":["a","a"]}',
    String.raw`{"a":"\",\"a\":1","b":"{\"a\":1,\"a\":2}"}`,
    '{"a":1,"A":2}',
    '"a"',
    '17',
  ]
  for (const text of clear) {
    it(`finds no duplicate key in ${text}`, () => {
      expect(duplicateKey(text)).to.equal(null)
    })
  }

  it('accepts all that JSON.stringify writes, and refuses it with one key repeated', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (fields, key) => {
        const text = JSON.stringify({ ...fields, [key]: null })
        expect(duplicateKey(text)).to.equal(null)
        expect(duplicateKey(`[${text.slice(0, -1)},${JSON.stringify(key)}:[]}]`)).to.be.a('string')
      }),
    )
  })

  it('reads a text of 500 KB with escapes, keys and depth in one pass', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `"k${index}":"\\\\\\""`)
    expect(duplicateKey(`{${keys.join(',')}}`)).to.equal(null)
    expect(duplicateKey('['.repeat(20_000) + ']'.repeat(20_000))).to.equal(null)
  })
})
