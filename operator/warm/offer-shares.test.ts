import { expect } from 'chai'
import { runnerSettings, warmSettings } from '../../testing/support/operator/settings.ts'
import { offerShares, wantedWarmRunners } from './offer-shares.ts'

const wants = (commands: number, hasBacklog = false) => ({ commands, hasBacklog })

describe('offerShares', () => {
  it('limits each account to an equal part of the pods, rounded up, when others want some too', () => {
    const wanted = new Map([
      ['a', wants(9)],
      ['b', wants(1)],
      ['c', wants(0)],
    ])
    expect([...offerShares(3, wanted)]).to.deep.equal([
      ['a', 2],
      ['b', 2],
    ])
  })

  it('limits nothing when one account alone wants some', () => {
    expect(offerShares(3, new Map([['a', wants(9)]])).size).to.equal(0)
  })

  it('keeps the last pod for an account without a backlog', () => {
    expect([...offerShares(1, new Map([['a', wants(1, true)]]))]).to.deep.equal([['a', 0]])
    expect([...offerShares(3, new Map([['a', wants(9, true)]]))]).to.deep.equal([['a', 2]])
    const beside = new Map([
      ['a', wants(1, true)],
      ['b', wants(1)],
    ])
    expect([...offerShares(1, beside)]).to.deep.equal([
      ['a', 0],
      ['b', 1],
    ])
  })
})

describe('wantedWarmRunners', () => {
  const waiting = [
    { commandId: 'one', vcpuCount: 4 },
    { commandId: 'two', vcpuCount: 5 },
    { commandId: 'three', vcpuCount: 0 },
  ]
  const chosen = (plan: string) =>
    [{ account: { accountId: 'a', plan, waiting }, commandIds: ['one', 'two', 'three'] }] as const
  const warm = warmSettings({ vcpu: 4, coldPlans: ['cold'] })

  it('tells an account of which further commands wait', () => {
    const [{ account }] = chosen('small')
    const wanted = wantedWarmRunners([{ account, commandIds: ['one'] }], runnerSettings({ warm }))
    expect(wanted.get('a')).to.deep.equal(wants(1, true))
  })

  it('counts what fits a warm runner', () => {
    expect(wantedWarmRunners(chosen('small'), runnerSettings({ warm })).get('a')).to.deep.equal(
      wants(2),
    )
    expect(wantedWarmRunners(chosen('cold'), runnerSettings({ warm })).size).to.equal(0)
    expect(wantedWarmRunners(chosen('small'), runnerSettings()).size).to.equal(0)
  })
})
