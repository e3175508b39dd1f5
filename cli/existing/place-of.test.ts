import { expect } from 'chai'
import { queueReasons } from '../../common/domain/states.ts'
import { placeOf } from './place-of.ts'

describe('placeOf', () => {
  it('returns the position, the reason and the estimated start of a queued command', () => {
    const start = '2026-05-19T18:20:10.000000Z'
    const queued = { queue_position: 3, queue_reason: 'ACCOUNT_VCPUS', estimated_start_at: start }
    expect(placeOf(queued)).to.equal(
      'number 3 in line, waits for vCPUs of your account, start about 2026-05-19 18:20 UTC',
    )
  })

  it('returns the position alone when the service sends nothing else', () => {
    expect(placeOf({ queue_position: 3 })).to.equal('number 3 in line')
    const unknown = { queue_position: 3, queue_reason: null, estimated_start_at: null }
    expect(placeOf(unknown)).to.equal('number 3 in line')
  })

  it('returns the word of a reason that a newer service sends', () => {
    const queued = { queue_position: 1, queue_reason: 'TIDE', estimated_start_at: null }
    expect(placeOf(queued)).to.equal('number 1 in line, TIDE')
  })

  for (const queue_reason of queueReasons) {
    it(`returns a sentence for ${queue_reason}`, () => {
      expect(placeOf({ queue_position: 1, queue_reason })).to.match(
        /^number 1 in line, waits .{10}/,
      )
    })
  }

  it('returns the reason of the administrator who paused the queue', () => {
    const paused = { queue_position: 1, queue_reason: 'PAUSED', queue_message: 'Disk swap' }
    expect(placeOf(paused)).to.match(/^number 1 in line, waits .*: Disk swap$/)
  })

  it('returns nothing for a command that is not in the queue', () => {
    expect(placeOf({ queue_position: null, queue_reason: null })).to.equal('')
  })

  it('says what the cluster waits for without a position', () => {
    const refused = placeOf({ queue_position: null, queue_reason: 'POLICY' })
    expect(refused).to.equal('waits until a policy of the cluster lets it start')
  })

  it('names the queue of the cluster without a position', () => {
    const inKueue = placeOf({ queue_position: null, queue_reason: 'KUEUE' })
    expect(inKueue).to.equal('waits in a queue of the cluster')
  })
})
