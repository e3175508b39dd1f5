import { expect } from 'chai'
import { actOnEach } from './act-on-each.ts'

describe('actOnEach', () => {
  it('acts on all commands in their order, and returns how many', async () => {
    const acted: string[] = []
    const result = await actOnEach(['a', 'b'], 'cancelled', async (id) => acted.push(id))
    expect(acted).to.deep.equal(['a', 'b'])
    expect(result).to.deep.equal({ refused: new Set(), text: '2 commands cancelled.' })
  })

  it('actOnEach goes on after a refusal, and returns the refused commands with the first reason', async () => {
    const result = await actOnEach(['a', 'b', 'c'], 'cancelled', async (id) => {
      if (id !== 'b') throw new Error(`${id} has ended`)
    })
    expect(result).to.deep.equal({
      refused: new Set(['a', 'c']),
      text: '1 command cancelled. 2 commands not: a has ended',
    })
  })

  it('returns 0 commands and the reason when all were refused', async () => {
    const act = () => Promise.reject(new Error('No'))
    expect((await actOnEach(['a'], 'cancelled', act)).text).to.equal(
      '0 commands cancelled. 1 command not: No',
    )
  })
})
