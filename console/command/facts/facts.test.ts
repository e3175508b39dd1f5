import { expect } from 'chai'
import { aCommandRecord } from '../../../common/openapi/a-command-record.ts'
import { momentsOf, sizesOf } from './facts.ts'

describe('the facts of a command', () => {
  it('momentsOf returns the times that have come, in their order', () => {
    const record = aCommandRecord({ created_at: '2026-05-19T18:00:00Z' })
    expect(momentsOf(record)).to.deep.equal([{ name: 'Submitted', at: '2026-05-19T18:00:00Z' }])
    const ended = { ...record, started_at: '2026-05-19T18:00:05Z' }
    expect(
      momentsOf({ ...ended, finished_at: '2026-05-19T18:00:09Z' }).map(({ name }) => name),
    ).to.deep.equal(['Submitted', 'Started', 'Ended'])
  })

  it('sizesOf returns vCPUs, the time limit and the attempts, and a priority that is not the usual one', () => {
    const record = aCommandRecord({ vcpu_count: 8, max_command_run_seconds: 300 })
    expect(sizesOf(record)).to.deep.equal([
      ['vCPUs', '8'],
      ['Time limit', '5 min'],
    ])
    expect(sizesOf({ ...record, vcpu_count: null, attempts: 2, priority: 'high' })).to.deep.equal([
      ['Time limit', '5 min'],
      ['Attempts', '2'],
      ['Priority', 'high'],
    ])
  })

  it('sizesOf returns the key that submitted a command, and who cancelled it', () => {
    const factsOf = (key_prefix: string | null, key_label: string | null) =>
      sizesOf(aCommandRecord({ submitted_by: { key_prefix, key_label } })).slice(2)
    expect(factsOf('cff_AbCd', 'CI')).to.deep.equal([['Key', 'cff_AbCd (CI)']])
    expect(factsOf('cff_AbCd', null)).to.deep.equal([['Key', 'cff_AbCd']])
    expect(factsOf(null, 'CI')).to.deep.equal([['Key', 'CI']])
    expect(factsOf(null, null)).to.deep.equal([])
    const cancelled = aCommandRecord({ cancelled_by: 'administrator' })
    expect(sizesOf(cancelled).at(-1)).to.deep.equal(['Cancelled by', 'administrator'])
  })
})
