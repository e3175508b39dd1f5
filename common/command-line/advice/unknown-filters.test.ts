import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { unknownFilters } from './unknown-filters.ts'

describe('unknownFilters', () => {
  const found = (command: string) => unknownFilters(stepOf(command))

  it('names each misspelt filter with the nearest one', () => {
    expect(found('-i {{in_1}} -vf scal=-2:480,hflipp {{out_1}}')).to.deep.equal([
      { name: 'scal', nearest: 'scale' },
      { name: 'hflipp', nearest: 'hflip' },
    ])
    expect(found('-i {{in_1}} -filter_complex [0:v]Scale=2:2[a] -map [a] {{out_1}}')).to.deep.equal(
      [{ name: 'Scale', nearest: 'scale' }],
    )
    expect(found('-i {{in_1}} -vf frobnicate {{out_1}}')).to.deep.equal([
      { name: 'frobnicate', nearest: null },
    ])
  })

  it('reads the graph of a generated input', () => {
    expect(found('-f lavfi -i testsrc3=duration=1 {{out_1}}')).to.deep.equal([
      { name: 'testsrc3', nearest: 'testsrc' },
    ])
  })

  it('known filters, with an instance name too, are not reported', () => {
    expect(found('-i {{in_1}} -vf scale@big=2:2,split[a][b];[a][b]hstack {{out_1}}')).to.deep.equal(
      [],
    )
  })
})
