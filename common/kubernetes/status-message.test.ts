import { expect } from 'chai'
import { safeStatusMessage } from './status-message.ts'

describe('message of a Status', () => {
  const messages: [string, string][] = [
    ['Invalid value: "https://h/x?sig=1": must be y', 'Invalid value: must be y'],
    ['Invalid value: "a \\"quoted\\" secret": must be y', 'Invalid value: must be y'],
    ['Invalid value: -1: must be greater than 0', 'Invalid value: must be greater than 0'],
    ['Invalid value: null: rules were not checked', 'Invalid value: rules were not checked'],
    ['Invalid value: {"a":"b: c"}: must be y', 'Invalid value: must be y'],
    [
      'Invalid value: spec is immutable but for cancel',
      'Invalid value: spec is immutable but for cancel',
    ],
    [
      'Unsupported value: "secret": supported values: "a"',
      'Unsupported value: supported values: "a"',
    ],
    ['Duplicate value: "secret"', 'Duplicate value'],
    ['Required value: valid values: "a"', 'Required value: valid values: "a"'],
  ]
  for (const [message, shown] of messages) {
    it(`shows '${message}' as '${shown}'`, () => {
      const details = { causes: [{ field: 'spec.x', message }] }
      expect(safeStatusMessage({ reason: 'Invalid', details })).to.equal(`spec.x: ${shown}`)
    })
  }

  it('keeps hosts of URLs, not what follows or precedes them', () => {
    const message = 'Get "https://user:pass@host:8443/path?token=1": dial tcp 10.0.0.1:8443'
    expect(safeStatusMessage({ message })).to.equal(
      'Get "https://host:8443/…": dial tcp 10.0.0.1:8443',
    )
  })

  it('cuts the message of a Status after 500 characters', () => {
    expect(safeStatusMessage({ message: 'x'.repeat(5_000) })).to.have.length(501)
  })

  it('the message of a Status is empty when the status has none', () => {
    expect(safeStatusMessage({})).to.equal('')
  })
})
