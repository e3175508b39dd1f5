import { expect } from 'chai'
import { lenient, queryParameters } from './lenient.ts'

const schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    limit: { type: ['integer', 'null'] },
    labels: {
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
    files: {
      oneOf: [
        { type: 'object', properties: { size: { type: 'integer' } } },
        { type: 'string', const: 'ALL' },
      ],
    },
    sizes: { type: 'array', items: { type: 'number' } },
  },
}

describe('lenient', () => {
  const table: [string, unknown, unknown][] = [
    ['reads numbers from text', { count: '7', ratio: ' 2.5 ' }, { count: 7, ratio: 2.5 }],
    ['takes a whole number with a fraction of zero', { count: '4.0' }, { count: 4 }],
    ['leaves half a number to the schema', { count: '4.5' }, { count: 4.5 }],
    ['leaves text that is not a number', { count: 'x', ratio: ' ' }, { count: 'x', ratio: ' ' }],
    ['does not take hexadecimal or infinity', { ratio: '0x10' }, { ratio: '0x10' }],
    ['reads booleans in any case', { on: 'TRUE' }, { on: true }],
    ['leaves other words for booleans', { on: 'yes' }, { on: 'yes' }],
    ['takes no boolean for a number', { count: true }, { count: true }],
    ['drops null for an optional field', { count: null, files: null }, {}],
    ['keeps null for a required field', { name: null }, { name: null }],
    ['drops empty text for an optional field', { count: '', files: '', limit: '' }, {}],
    ['keeps empty text for a required field', { name: '' }, { name: '' }],
    ['keeps empty text for a boolean', { on: '' }, { on: '' }],
    ['keeps empty text inside a map', { labels: { a: '' } }, { labels: { a: '' } }],
    ['takes blanks for null where null is allowed', { limit: ' ' }, { limit: null }],
    ['keeps unknown fields', { other: '1' }, { other: '1' }],
    ['never converts values that may be text', { labels: { a: '1' } }, { labels: { a: '1' } }],
    ['keeps null inside a map for the schema', { labels: { a: null } }, { labels: { a: null } }],
    [
      'converts within the alternative of the right type',
      { files: { size: '3' } },
      { files: { size: 3 } },
    ],
    ['reads each element of a list', { sizes: ['1', 2] }, { sizes: [1, 2] }],
  ]
  for (const [title, value, expected] of table) {
    it(title, () => {
      expect(lenient(schema, value)).to.deep.equal(expected)
    })
  }

  it('keeps a field named __proto__ a field', () => {
    const value: unknown = JSON.parse('{"labels": {"__proto__": "x"}}')
    expect(JSON.stringify(lenient(schema, value))).to.equal('{"labels":{"__proto__":"x"}}')
  })
})

describe('queryParameters', () => {
  const schema = {
    properties: {
      query: { properties: { limit: { type: 'integer' }, metadata: { type: 'object' } } },
    },
  }

  it('takes the last value of each name', () => {
    expect(queryParameters('', schema)).to.deep.equal({})
    expect(queryParameters('limit=1&limit=2&x.y=3', schema)).to.deep.equal({
      limit: '2',
      'x.y': '3',
    })
  })

  it('collects the members of an object in either notation', () => {
    expect(queryParameters('metadata.order=17&metadata[user.name]=a%26b', schema)).to.deep.equal({
      metadata: { order: '17', 'user.name': 'a&b' },
    })
    expect(queryParameters('metadata.a=1&metadata.a=2', schema)).to.deep.equal({
      metadata: { a: '2' },
    })
    const odd = queryParameters('metadata.__proto__=x', schema)['metadata'] as object
    expect(Object.keys(odd)).to.deep.equal(['__proto__'])
  })

  it('keeps names without a member, which the schema then refuses', () => {
    for (const name of ['metadata', 'metadata.', 'metadata[]']) {
      expect(queryParameters(`${encodeURIComponent(name)}=1`, schema)).to.deep.equal({
        [name]: '1',
      })
    }
  })
})
