import { expect } from 'chai'
import { folders, planOf, refusalOf } from '../../../testing/support/plan-one.ts'

describe('what stands behind -i', () => {
  it('joins inputs by concat: wherever each of them could stand alone', () => {
    const plan = planOf('-i "concat:{{in_1}}|{{in_2}}" -c copy {{out_1}}')
    expect(plan.steps[0]?.reads).to.deep.equal(['in_1', 'in_2'])
    expect(refusalOf('-i "concat:{{in_1}}|a.ts" {{out_1}}')).to.equal('command_alias a.ts')
    expect(refusalOf('-i concat:a.ts|b.ts c.ts', folders)).to.equal('accepted')
    expect(refusalOf('-i concat:a.ts|/etc/passwd c.ts', folders)).to.equal(
      'command_forbidden concat:a.ts|/etc/passwd',
    )
    expect(refusalOf('-i concat:file:a|http://h/b c.ts', folders)).to.contain('command_forbidden')
    expect(refusalOf('-i concat:a.ts| c.ts', folders)).to.contain('command_syntax')
    expect(refusalOf('-i concat:file:{{in_1}}|file:{{in_2}} {{out_1}}')).to.equal('accepted')
  })
})
