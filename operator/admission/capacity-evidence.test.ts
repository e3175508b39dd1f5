import { expect } from 'chai'
import { evidenceAfter, noEvidence, observe } from './capacity-evidence.ts'
import type { Placement } from './placement.ts'

const accounts = [
  {
    accountId: 'a',
    running: ['first', 'second'].map((commandId) => ({
      commandId,
      vcpuCount: 2,
      runningSeconds: 60,
      jobGeneration: 1,
      isNew: true,
      isEnding: false,
      isStarting: false,
    })),
  },
]

const onNode: Placement = { kind: 'placed' }
const unplaced: Placement = { kind: 'unplaced', words: 'Insufficient cpu' }
const refused: Placement = { kind: 'refused', words: 'exceeded quota' }

/** Evidence of one pass after the other, at these times. */
function after(passes: readonly (readonly [nowMs: number, second: Placement])[]) {
  return passes.reduce((before, [nowMs, second]) => {
    const placementOf = ({ commandId }: { commandId: string }) =>
      commandId === 'first' ? onNode : second
    return evidenceAfter(before, observe(before, accounts, placementOf, nowMs), 300)
  }, noEvidence)
}

describe('evidenceAfter', () => {
  it('says that the cluster is full from the fifth second of a pod without a node until a minute after it', () => {
    expect(after([[0, unplaced]]).fullUntilMs).to.equal(-Infinity)
    const full = after([
      [0, unplaced],
      [5_000, unplaced],
    ])
    expect(full).to.include({ fullUntilMs: 65_000, mostVcpus: 2 })
    expect([...full.witnesses]).to.deep.equal(['second/1'])
  })

  it('evidenceAfter voids what a pod seemed to show when no node has had it for a minute', () => {
    const times = [0, 5_000, 59_000, 60_000] as const
    expect(after(times.map((nowMs) => [nowMs, unplaced])).fullUntilMs).to.equal(-Infinity)
  })

  it('keeps the order of an account for a minute after a refusal, and not beyond the time to pass', () => {
    expect(after([[0, refused]]).orderUntilMs.get('a')).to.equal(60_000)
    const over = after([
      [0, refused],
      [60_000, onNode],
    ])
    expect(over.orderUntilMs.size).to.equal(0)
    const long = after([
      [0, refused],
      [300_000, refused],
    ])
    expect(long.orderUntilMs.size).to.equal(0)
  })
})
