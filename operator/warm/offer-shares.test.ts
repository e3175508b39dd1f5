import { expect } from 'chai'
import { runnerSettings, warmSettings } from '../decide/snapshot.fixture.ts'
import { offerShares, wantedStandbys } from './offer-shares.ts'

describe('offerShares', () => {
  it('limits each account to half of the pods, rounded up, when another wants some too', () => {
    const wanted = new Map([
      ['a', 9],
      ['b', 1],
      ['c', 0],
    ])
    expect([...offerShares(3, wanted)]).to.deep.equal([
      ['a', 2],
      ['b', 2],
    ])
  })

  it('limits nothing when one account alone wants some', () => {
    expect(offerShares(3, new Map([['a', 9]])).size).to.equal(0)
  })
})

describe('wantedStandbys', () => {
  const waiting = [
    { commandId: 'one', vcpuCount: 4 },
    { commandId: 'two', vcpuCount: 5 },
    { commandId: 'three', vcpuCount: 0 },
  ]
  const chosen = (plan: string) => [
    { account: { accountId: 'a', plan, waiting }, commandIds: ['one', 'two', 'three'] },
  ]
  const warm = warmSettings({ vcpu: 4, coldPlans: ['cold'] })

  it('counts what fits a standby', () => {
    expect(wantedStandbys(chosen('small'), runnerSettings({ warm })).get('a')).to.equal(2)
    expect(wantedStandbys(chosen('cold'), runnerSettings({ warm })).size).to.equal(0)
    expect(wantedStandbys(chosen('small'), runnerSettings()).size).to.equal(0)
  })
})
