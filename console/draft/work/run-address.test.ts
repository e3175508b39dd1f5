import { expect } from 'chai'
import { runAddressStep } from './run-address.ts'

describe('runAddressStep', () => {
  it('returns the run of the address when the page was reloaded', () => {
    expect(runAddressStep('a', null, undefined)).to.deep.equal({ kind: 'show', runId: 'a' })
  })

  it('writes the last run into the address when the page is opened again', () => {
    expect(runAddressStep(null, 'a', undefined)).to.deep.equal({
      kind: 'write',
      runId: 'a',
      how: 'replace',
    })
  })

  it('adds an entry of the history when a command was run, and when the playground was cleared', () => {
    expect(runAddressStep('a', 'b', 'a')).to.deep.equal({ kind: 'write', runId: 'b', how: 'push' })
    expect(runAddressStep('a', null, 'a')).to.deep.include({ kind: 'write', runId: null })
  })

  it('shows the run of before when the user went back', () => {
    expect(runAddressStep('a', 'b', 'b')).to.deep.equal({ kind: 'show', runId: 'a' })
    expect(runAddressStep(null, 'a', 'a')).to.deep.equal({ kind: 'show', runId: null })
  })

  it('runAddressStep does nothing when both name the same run', () => {
    for (const last of ['a', 'b', undefined]) {
      expect(runAddressStep('a', 'a', last)).to.deep.equal({ kind: 'none' })
    }
  })
})
