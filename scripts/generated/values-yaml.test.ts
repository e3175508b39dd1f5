import { expect } from 'chai'
import { valuesYaml } from './values-yaml.ts'

describe('valuesYaml', () => {
  it('writes each value with its default below its description, in its section', () => {
    const text = valuesYaml({
      properties: {
        server: {
          description: 'The server.',
          properties: {
            streams: { type: 'integer', description: 'Open streams.', default: 8 },
            name: { type: 'string', description: 'Its name.', default: '' },
            limits: { description: 'Limits.', default: { cpu: { max: 1 }, names: ['a'] } },
          },
        },
        global: { type: 'object', description: 'Helm sets it.' },
      },
    })
    expect(text).to.equal(`# The server.
server:
  # Open streams.
  streams: 8
  # Its name.
  name: ''
  # Limits.
  limits:
    cpu: { max: 1 }
    names: [ a ]
`)
  })

  it('describes values with the same definition once', () => {
    const labels = { description: 'Labels.', default: {} }
    const properties = { labels: { $ref: '#/$defs/labels' } }
    const text = valuesYaml({
      $defs: { labels },
      properties: { a: { properties }, b: { properties } },
    })
    expect(text).to.equal(`a:
  # Labels.
  labels: {}

b:
  labels: {}
`)
  })

  it('wraps a description at 120 characters', () => {
    const description = 'word '.repeat(40)
    const text = valuesYaml({ properties: { a: { description, default: null } } })
    const [first = ''] = text.split('\n')
    expect(first).to.have.length.within(110, 120)
    expect(text.split('\n').slice(-2)).to.deep.equal(['a: null', ''])
  })
})
