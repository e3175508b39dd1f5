import { expect } from 'chai'
import fc from 'fast-check'
import { fingerprint } from './fingerprint.ts'

const of = (body: unknown) => fingerprint({ method: 'POST', path: '/v1/x', body }).toString('hex')

describe('fingerprint', () => {
  it('fingerprints are equal if and only if the bodies are equal as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const equal = sorted(one) === sorted(other)
        expect(of(one) === of(other)).to.equal(equal)
        expect(of(reversed(one))).to.equal(of(one))
      }),
    )
  })

  it('distinguishes numbers from text, the order in arrays, and empty from absent', () => {
    const bodies = [1, '1', [1, 2], [2, 1], [[1], 2], [], {}, null, undefined, '', { a: [] }, [{}]]
    expect(new Set(bodies.map(of)).size).to.equal(bodies.length)
  })

  it('the fingerprint depends on method and path', () => {
    const request = { method: 'POST', path: '/v1/x', body: {} }
    const others = [request, { ...request, path: '/v1/y' }, { ...request, method: 'PUT' }]
    expect(new Set(others.map((one) => fingerprint(one).toString('hex'))).size).to.equal(3)
  })
})

/** A simple reference implementation: every object with its fields in order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, reversed(field)] as const)
  return Object.fromEntries(fields.toReversed())
}
