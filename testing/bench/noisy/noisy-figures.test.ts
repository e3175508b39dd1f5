import { expect } from 'chai'
import { noisyFigures } from './noisy-figures.ts'
import type { Phase } from './phases.ts'
import type { State } from './state.ts'
import type { Served } from './tenant.ts'

const state: State = {
  etcdMbytes: 10,
  apiServerMbytes: 150,
  operatorMbytes: 140,
  tablesMbytes: 20,
  unfinished: 0,
  pendingWebhooks: 3,
  resources: 1,
  largestResourceBytes: 9_000,
}
const tenant = {
  run: () => Promise.resolve([]),
  refused: () => 2,
  failures: () => 1,
  close: () => Promise.resolve(),
}
const served = (...ms: number[]): Served[] => ms.map((one) => ({ success: one, webhook: 2 * one }))
const phase = (name: string, by: Readonly<Record<string, Served[]>>): Phase => ({
  name,
  isNoisy: !('nothing' in by),
  served: new Map(Object.entries(by)),

  during: state,
  after: state,
  statuses: new Map([
    [200, 5],
    [503, 4],
    [429, 6],
  ]),
})

describe('noisyFigures', () => {
  const figures = noisyFigures(
    [
      phase('quiet 1', { nothing: served(100, 100) }),
      phase('noisy pro', { reads: served(120, 140), streams: served(150, 150) }),
      phase('quiet 2', { nothing: served(100, 100) }),
      phase('noisy unlimited', { reads: served(130, 150), streams: served(150, 150) }),
    ],
    { tenant, start: state },
  )
  const valueOf = (name: string) => figures.find((figure) => figure.name === name)?.value

  it('names percentiles by phase and by load, and divides those of noisy and quiet phases', () => {
    expect(valueOf('noisy pro: success p50')).to.equal(140)
    expect(valueOf('beside reads: success p95')).to.equal(150)
    expect(valueOf('beside reads: webhook p50')).to.equal(260)
    expect(valueOf('success p95 noisy/quiet')).to.equal(1.5)
    const upper = figures.find(({ name }) => name === 'webhook p95 noisy/quiet, upper end')
    expect(upper).to.include({ value: 1.5, limit: 1.5 })
  })

  it('counts what the tenant was refused, and each answer of the noisy account', () => {
    expect(valueOf('tenant: answers of 429')).to.equal(2)
    expect(valueOf('tenant: failures')).to.equal(1)
    expect(valueOf('noisy unlimited: answers of 429')).to.equal(6)
    expect(valueOf('noisy unlimited: answers of 5xx')).to.equal(4)
    expect(valueOf('largest custom resource during noisy pro')).to.equal(9_000)
  })
})
