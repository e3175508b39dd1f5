import { expect } from 'chai'
import fc from 'fast-check'
import { objectIn, unpackStrings } from './json-strings.ts'

const schema = {
  type: 'object',
  properties: {
    body: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        labels: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
        list: { type: 'array', items: { type: 'string' } },
        files: { oneOf: [{ type: 'object' }, { type: 'string', const: 'ALL' }] },
      },
    },
  },
}

const unpack = (body: unknown) => {
  const { request, warnings } = unpackStrings(schema, { path: {}, query: {}, body })
  return [(request as { body: unknown }).body, warnings]
}

describe('strings of JSON in a body', () => {
  it('strings of JSON are taken as the object or array that the schema has there', () => {
    const body = { labels: { a: 1 }, list: ['x'], files: { out_1: 'a.mp4' } }
    const texts = Object.entries(body).map(([name, held]) => [name, ` ${JSON.stringify(held)}\n`])
    const warnings = ['labels', 'list', 'files'].map(
      (name) =>
        `body.${name} was a string of JSON; send the ${name === 'list' ? 'array' : 'object'}`,
    )
    const fields: unknown = Object.fromEntries(texts)
    expect(unpack(fields)).to.deep.equal([body, warnings])
    expect(unpack(JSON.stringify(fields))).to.deep.equal([
      body,
      ['body was a string of JSON; send the object', ...warnings],
    ])
  })

  const others: [string, unknown][] = [
    ['a text of the schema', { text: '{"a": 1}', list: ['{"a": 1}'], labels: { a: '[1]' } }],
    ['the one text that an alternative allows', { files: 'ALL' }],
    ['a string of another type', { labels: '["a"]', list: '{"a": 1}' }],
    ['a string that does not parse', { labels: '{"a": 1', list: '[object Object]' }],
    ['a string of a number', '17'],
    ['a string of a string of an object', JSON.stringify('{"text": "a"}')],
    ['a field that the schema does not have', { zebra: '{"a": 1}' }],
    ['no body', undefined],
  ]
  for (const [what, body] of others) {
    it(`strings stay where the body has ${what}`, () => {
      expect(unpack(body)).to.deep.equal([body, []])
    })
  }

  it('strings of JSON give the body back that was encoded twice, with any fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        const [held] = unpack(JSON.stringify(body))
        expect(held).to.deep.equal(unpack(JSON.parse(JSON.stringify(body)))[0])
        expect(objectIn(JSON.stringify(body))).to.deep.equal(JSON.parse(JSON.stringify(body)))
      }),
    )
  })

  it('unpacking strings does not change the request that was read', () => {
    const request = { path: {}, query: {}, body: { labels: '{"a": 1}' } }
    unpackStrings(schema, request)
    expect(request.body).to.deep.equal({ labels: '{"a": 1}' })
  })
})
