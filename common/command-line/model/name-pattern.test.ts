import { expect } from 'chai'
import fc from 'fast-check'
import { bySimilarity, isPattern, readsPattern } from './name-pattern.ts'

describe('a pattern of names', () => {
  it('a pattern of names has one number that FFmpeg counts on', () => {
    for (const name of ['f_%03d.png', '%d.ts', 'a/%5d.jpg']) expect(isPattern(name)).to.equal(true)
    for (const name of ['f_001.png', '50%.png', 'v%v.m3u8', `${'a'.repeat(200)}%d`]) {
      expect(isPattern(name)).to.equal(false)
    }
  })

  const readers: [string, string, boolean][] = [
    ['f_%03d.png', 'f_%03d.png', true],
    ['./f_%03d.png', 'f_%03d.png', true],
    ['f_001.png', 'f_%03d.png', true],
    ['f_1000.png', 'f_%03d.png', true],
    ['f_1.png', 'f_%d.png', true],
    ['f_*.png', 'f_%03d.png', true],
    ['f_???.png', 'f_%03d.png', true],
    ['*', 'f_%03d.png', true],
    ['f_%04d.png', 'f_%03d.png', false],
    ['f_01.png', 'f_%03d.png', false],
    ['f_abc.png', 'f_%03d.png', false],
    ['f_??.png', 'f_%03d.png', false],
    ['g_*.png', 'f_%03d.png', false],
    ['f_.png', 'f_%d.png', false],
  ]
  for (const [name, pattern, isRead] of readers) {
    it(`${pattern} is ${isRead ? '' : 'not '}read by ${name}`, () => {
      expect(readsPattern(name, pattern)).to.equal(isRead)
    })
  }

  it('a pattern of names is read by each of its files, and by a glob of what stands around the number', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'b', '.', '_', '/', '+', '('),
      maxLength: 6,
    })
    fc.assert(
      fc.property(part, part, fc.nat(12), fc.nat(99_999), (before, behind, width, number) => {
        const pattern = `${before}%0${String(width)}d${behind}`
        const file = `${before}${String(number).padStart(width, '0')}${behind}`
        expect(readsPattern(file, pattern)).to.equal(true)
        expect(readsPattern(`${before}*${behind}`, pattern)).to.equal(true)
      }),
    )
  })

  it('a pattern of names is compared in no time with a name that is made to take long', () => {
    const glob = `${'*a'.repeat(90)}b`
    const start = performance.now()
    for (let count = 0; count < 200; count++) readsPattern(glob, `${'a'.repeat(190)}%d`)
    expect(performance.now() - start).to.be.lessThan(2_000)
  })

  it('a pattern of names is named by how similar it is', () => {
    expect(bySimilarity('f_%04d.png', ['seg%d.ts', 'f_%03d.png'])[0]).to.equal('f_%03d.png')
  })
})
