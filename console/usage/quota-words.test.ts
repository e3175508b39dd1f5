import { expect } from 'chai'
import { limitsOf, quotasOf } from './quota-words.ts'
import type { AccountUsage } from '../../common/openapi/openapi-types.ts'

const usage: AccountUsage = {
  account_id: 'a',
  plan: 'pro',
  period_start: '2026-05-01T00:00:00Z',
  period_end: '2026-06-01T00:00:00Z',
  processing: { used_mbytes: 512, reserved_mbytes: 0, limit_mbytes: 1_024 },
  storage: { used_mbytes: 2_048, reserved_mbytes: 100, limit_mbytes: null },
  vcpu: { in_use: 6, limit: 16, per_command: 8 },
  commands: { queued: 3, running: 2 },
  queue: { queued: 3, limit: 10_000 },
  rate: { submissions_per_minute: 60, submissions_left: 59.7 },
  limits: { max_command_run_seconds: 3_600, max_file_mbytes: null },
  features: { chained: true, uploads: true, private: true, webhooks: true },
  default_output_ttl_seconds: null,
}

describe('the limits of a plan', () => {
  it('limitsOf returns the most of one command and one file, and the features of the plan', () => {
    expect(limitsOf(usage)).to.deep.equal([
      ['Plan', 'pro'],
      ['One command', '1 h, 8 vCPUs'],
      ['One file', 'any size'],
      ['In the plan', 'chains, uploads, private outputs, webhooks'],
    ])
  })

  it('limitsOf returns what the plan lacks when it lacks a feature', () => {
    const small = {
      ...usage,
      plan: 'free',
      limits: { max_command_run_seconds: 60, max_file_mbytes: 512 },
      features: { ...usage.features, private: false, webhooks: false },
    }
    expect(Object.fromEntries(limitsOf(small))).to.include({
      'One file': '512.0 MB',
      'In the plan': 'chains, uploads',
      'Not in the plan': 'private outputs, webhooks',
    })
  })
})

describe('the quotas of a plan', () => {
  const now = Date.parse('2026-05-19T18:00:00Z')
  const quota = (nth: number, change: Partial<AccountUsage> = {}) => {
    const found = quotasOf({ ...usage, ...change }, now)[nth]
    if (found === undefined) throw new Error('there is no such quota')
    return found
  }
  const processed = (used_mbytes: number, limit_mbytes: number | null, reserved_mbytes = 0) =>
    quota(0, { processing: { used_mbytes, reserved_mbytes, limit_mbytes } })

  it('quotasOf says what was used of each quota, and what that means', () => {
    expect(
      quotasOf(usage, now).map(({ title, words, note }) => [title, words, note]),
    ).to.deep.equal([
      ['Processed this month', '512.0 MB of 1.0 GB', 'Begins again in 13 days, on 1 Jun.'],
      [
        'Stored',
        '2.0 GB',
        'Deleting files frees it. 100.0 MB more are reserved by unfinished commands.',
      ],
      ['vCPUs in use now', '6 of 16', '2 running, 3 in the queue of at most 10,000.'],
      ['Submissions left this minute', '59 of 60', 'Plan pro.'],
    ])
  })

  it('quotasOf says that a limit is absent when the plan has none', () => {
    expect(quota(2, { vcpu: { ...usage.vcpu, limit: null } }).words).to.equal('6')
    expect(quota(2, { queue: { queued: 0, limit: null } }).note).to.equal(
      '2 running, 0 in the queue.',
    )
    const unlimited = { submissions_per_minute: null, submissions_left: null }
    expect(quota(3, { rate: unlimited })).to.include({
      words: 'No limit',
      limit: null,
      isTight: false,
    })
  })

  it('quotasOf returns a bar of what was used that ends at the limit, and 0 without a limit', () => {
    expect([0, 256, 1_024, 5_000].map((used) => processed(used, 1_024).part)).to.deep.equal([
      0, 0.25, 1, 1,
    ])
    expect(processed(5_000, null)).to.include({ part: 0, isTight: false })
    expect(processed(0, 0).part).to.equal(0)
  })

  it('quotasOf marks a quota from nine tenths on, and submissions when none is left', () => {
    expect([899, 900, 1_000].map((used) => processed(used, 1_000).isTight)).to.deep.equal([
      false,
      true,
      true,
    ])
    const left = (submissions_left: number) =>
      quota(3, { rate: { submissions_per_minute: 60, submissions_left } })
    expect([60, 1, 0.9].map((count) => left(count).isTight)).to.deep.equal([false, false, true])
    expect(left(0.9).words).to.equal('0 of 60')
  })
})
