import { expect } from 'chai'
import { row } from '../../testing/support/operator/snapshot.ts'
import { runnableSpec, specHash } from './spec-hash.ts'

describe('specHash', () => {
  it('returns the same hash for a row and for the resource that dispatch makes of it', () => {
    const { source, vcpuCount, maxRunSeconds, isPrivate } = row()
    const spec = {
      commands: source.commands,
      inputFiles: { ...source.inputFiles },
      outputFiles: { ...source.outputFiles },
      vcpuCount,
      maxRunSeconds,
      private: isPrivate,
    }
    expect(specHash(runnableSpec(spec))).to.equal(specHash(row()))
  })

  it('returns the same hash for any order of keys', () => {
    const source = { ...row().source, inputFiles: { in_1: 'a', in_2: 'b' } }
    const other = { ...row().source, inputFiles: { in_2: 'b', in_1: 'a' } }
    expect(specHash({ ...row(), source })).to.equal(specHash({ ...row(), source: other }))
  })

  it('returns another hash when what runs changes', () => {
    expect(specHash(row({ vcpuCount: 3 }))).to.not.equal(specHash(row()))
  })

  it('returns the same hash when cancel is set', () => {
    const spec = { commands: ['a'] }
    expect(specHash(runnableSpec({ ...spec, cancel: true }))).to.equal(specHash(runnableSpec(spec)))
  })
})
