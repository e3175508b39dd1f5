import { expect } from 'chai'
import { inputAliasProblem, outputAliasProblem } from './alias.ts'

describe('aliases', () => {
  it('aliases are distinguished by their prefix', () => {
    expect(inputAliasProblem('in_1')).to.equal(null)
    expect(inputAliasProblem('in_Video_2')).to.equal(null)
    expect(outputAliasProblem('out_playlist_1')).to.equal(null)
    for (const alias of ['input', 'in_', 'IN_1', 'in-1', 'out_1', 'in_é', '']) {
      expect(inputAliasProblem(alias)).to.contain("begin with 'in_'")
    }
    expect(outputAliasProblem('in_1')).to.contain("begin with 'out_'")
  })

  it('aliases have at most 64 characters', () => {
    expect(inputAliasProblem(`in_${'a'.repeat(61)}`)).to.equal(null)
    expect(inputAliasProblem(`in_${'a'.repeat(62)}`)).to.contain('longer than 64')
  })
})
