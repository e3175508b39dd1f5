import { expect } from 'chai'
import { createLeadership } from './leadership.ts'
import { LeadershipLost } from '../machinery/election/leader.ts'
import type { Term } from '../machinery/election/leader.ts'

describe('createLeadership', () => {
  function created() {
    const order: string[] = []
    let lead: (term: Term) => Promise<void> = async () => undefined
    let terms = 0
    const part = createLeadership({
      createController() {
        const name = `term ${(terms += 1)}`
        return {
          async run(signal) {
            order.push(`${name} works`)
            await new Promise((resolve) => signal.addEventListener('abort', resolve))
            order.push(`${name} has ended`)
          },
          rowChanged: (commandId) => void order.push(`${name} gets ${commandId}`),
        }
      },
      createLeader(given) {
        lead = given
        return {
          run: (signal) =>
            new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
          isLeader: () => true,
          leaderAddress: () => null,
        }
      },
    })
    return { part, order, lead: (term: Term) => lead(term) }
  }

  it('creates a new controller in each term', async () => {
    const { part, order, lead } = created()
    for (let index = 0; index < 2; index += 1) {
      const { term, lose } = termOf()
      const work = lead(term)
      part.rowChanged('a')
      lose()
      await work
    }
    expect(order).to.deep.equal(
      [1, 2].flatMap((n) => [`term ${n} works`, `term ${n} gets a`, `term ${n} has ended`]),
    )
  })

  it('drops changes of rows between two terms', async () => {
    const { part, order, lead } = created()
    part.rowChanged('a')
    const { term, lose } = termOf()
    const work = lead(term)
    lose()
    await work
    part.rowChanged('b')
    expect(order).to.deep.equal(['term 1 works', 'term 1 has ended'])
  })

  it('stops competing for the Lease when it is stopped', async () => {
    const { part } = created()
    await part.start()
    await part.stop()
  })
})

function termOf(): { term: Term; lose: () => void } {
  const lost = new AbortController()
  return {
    term: { signal: lost.signal, lost: lost.signal, mustHold: () => undefined },
    lose: () => lost.abort(new LeadershipLost()),
  }
}
