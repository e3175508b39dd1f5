import { expect } from 'chai'
import { createSpeed, timeLeft } from './speed.ts'

describe('the speed of an upload', () => {
  it('computes the speed of an upload from the last seconds', () => {
    const speed = createSpeed()
    speed.add(0, 0)
    speed.add(200, 1_000)
    expect(speed.perSecond()).to.equal(null)
    for (let ms = 1_000; ms <= 10_000; ms += 1_000) speed.add(ms, ms * 2)
    expect(speed.perSecond()).to.equal(2_000)
    for (let ms = 11_000; ms <= 20_000; ms += 1_000) speed.add(ms, 20_000)
    expect(speed.perSecond()).to.equal(0)
  })

  it('the speed begins again when a part is sent again', () => {
    const speed = createSpeed()
    speed.add(0, 0)
    speed.add(1_000, 5_000)
    speed.add(2_000, 1_000)
    expect(speed.perSecond()).to.equal(null)
    speed.add(3_000, 2_000)
    expect(speed.perSecond()).to.equal(1_000)
  })
})

describe('the time that is left', () => {
  it('the time left is said as precisely as it is known', () => {
    const words = [0, 4, 42, 58, 125, 5_000, 9_000].map((seconds) => timeLeft(seconds * 10, 10))
    expect(words).to.deep.equal([
      'about 5 s left',
      'about 5 s left',
      'about 45 s left',
      'about 1 min left',
      'about 2 min left',
      'about 83 min left',
      'about 3 h left',
    ])
    expect([timeLeft(10, null), timeLeft(10, 0)]).to.deep.equal([null, null])
  })
})
