import { expect } from 'chai'
import { report } from './figure.ts'

describe('the table of a benchmark', () => {
  const lines = report([
    {
      name: 'polls',
      value: 900,
      unit: 'per second',
      peer: 1_800,
      bar: { atLeast: 0.45, ofPeer: true },
    },
    { name: 'start', value: 1_234.5, unit: 'ms', bar: { atMost: 100 } },
    { name: 'hello', value: 3, unit: 's' },
  ]).split('\n')
  const cells = (line = '') => line.trim().split(/ {2,}/)

  it('shows value, peer, their ratio and whether the bar is met', () => {
    expect(cells(lines[1])).to.deep.equal([
      'polls',
      '900',
      'per second',
      '1800',
      '0.50',
      'at least 0.45 of peer: met',
    ])
    expect(cells(lines[2]).at(-1)).to.equal('at most 100 ms: missed')
  })

  it('shows a dash for an absent peer and bar, and aligns its columns', () => {
    expect(cells(lines[3])).to.deep.equal(['hello', '3.00', 's', '-', '-', '-'])
    expect(new Set(lines.map((line) => line.length)).size).to.equal(1)
  })

  it('calls a bar missed when nothing was measured', () => {
    const nothing = report([{ name: 'x', value: Number.NaN, unit: 's', bar: { atMost: 1 } }])
    expect(nothing).to.contain('missed')
  })
})
