import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { accountWith, waiting } from '../admission/pass.fixture.ts'
import { unlimitedCapacity } from '../admission/learnt-capacity.ts'
import { createQuotaWaits } from '../admission/quota-waits.ts'
import { createServiceRates } from '../admission/service-rates.ts'
import { beginningOfTime } from '../admission/virtual-time.ts'
import { createItemBackoff } from '../machinery/item-backoff.ts'
import { forgetOthers, noteAdmitted, noteViews, reasonOf } from './admission-state.ts'
import type { AdmissionState } from './admission-state.ts'

const account = accountWith({ accountId: 'a', waiting: [waiting('first', 2)] })

function stateAfter(admitted: readonly string[], failures = 0) {
  const clock = createVirtualClock()
  const waits = { first: 1_000, longest: 1_000, jitter: [1, 1] } as const
  const state: AdmissionState = {
    views: new Map(),
    starting: new Set(),
    backoff: createItemBackoff({ clock, random: () => 0, waits }),
    capacity: unlimitedCapacity,
    rates: createServiceRates({ clock }),
    quotaWaits: createQuotaWaits(clock),
    submitters: { observe: () => Promise.resolve([]) },
    time: beginningOfTime,
  }
  const note = (commandIds: readonly string[]) =>
    noteViews(state, {
      found: [account],
      accounts: [account],
      chosen: {
        admissions: [{ account, commandIds }],
        waits: new Map(),
        shares: new Map(),
        time: beginningOfTime,
        spreadSeconds: 0,
      },
      words: new Map(),
    })
  note([])
  for (let count = 0; count < failures; count += 1) state.backoff.failed('a')
  note(admitted)
  return state
}

describe('admission state', () => {
  it('the admission state has the reason of an account until all its commands start', () => {
    expect(reasonOf(stateAfter([]), 'a', 2)?.reason).to.equal('WaitingForCapacity')
    expect(reasonOf(stateAfter(['first']), 'a', 2)).to.equal(null)
  })

  it('keeps the reason of an account in backoff', () => {
    expect(reasonOf(stateAfter(['first'], 1), 'a', 2)).not.to.equal(null)
  })

  it('shows the quota that an admission has met, and ends the backoff of the account', () => {
    const state = stateAfter([], 1)
    noteAdmitted(state, account, {
      admitted: [],
      quotaWait: 'The month is used up',
      isLimited: true,
    })
    expect(reasonOf(state, 'a', 2)?.message).to.equal('The month is used up')
    expect(state.backoff.isDue('a')).to.equal(true)
    expect(state.starting.size).to.equal(0)
  })

  it('forgets accounts that have nothing waiting', () => {
    const state = stateAfter([])
    forgetOthers(state, [{ ...account, waiting: [] }])
    expect(state.views.size).to.equal(0)
  })
})
