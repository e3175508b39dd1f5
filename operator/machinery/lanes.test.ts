import { expect } from 'chai'
import { createLanes } from './lanes.ts'

describe('lanes of the work queue', () => {
  it('takes live keys first, then finished ones, then those with progress', () => {
    const lanes = createLanes()
    lanes.put('p', 'progress')
    lanes.put('f', 'finished')
    lanes.put('l', 'live')
    expect([lanes.next(), lanes.next(), lanes.next(), lanes.next()]).to.deep.equal([
      'l',
      'f',
      'p',
      null,
    ])
  })

  it('takes one key in ten of the last lane while live keys never end', () => {
    const lanes = createLanes()
    for (let index = 0; index < 100; index += 1) {
      lanes.put(`l${index}`, 'live')
      lanes.put(`p${index}`, 'progress')
    }
    const taken = Array.from({ length: 100 }, () => lanes.next())
    expect(taken.filter((key) => key?.startsWith('p'))).to.have.lengthOf(10)
  })
})
