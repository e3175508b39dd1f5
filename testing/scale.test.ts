import { expect } from 'chai'
import { sampled } from './scale.ts'

const items = Array.from({ length: 400 }, (_, index) => ({
  name: `item ${index}`,
  theme: index < 4 ? 'rare' : 'common',
}))
const sampling = {
  every: 10,
  nameOf: ({ name }: { name: string }) => name,
  themeOf: ({ theme }: { theme: string }) => theme,
}

describe('sampled', () => {
  let before: string | undefined
  beforeEach(() => {
    before = process.env['TEST_SCALE']
    delete process.env['TEST_SCALE']
  })
  afterEach(() => {
    if (before === undefined) delete process.env['TEST_SCALE']
    else process.env['TEST_SCALE'] = before
  })

  it('returns about one item in so many, in their order', () => {
    const chosen = sampled(items, sampling)
    expect(chosen.length).to.be.within(20, 60)
    expect(chosen).to.deep.equal(items.filter((item) => chosen.includes(item)))
  })

  it('returns at least so many of each theme', () => {
    const rare = sampled(items, { ...sampling, least: 3 }).filter(({ theme }) => theme === 'rare')
    expect(rare.length).to.be.at.least(3)
  })

  it('returns the same items when others are added', () => {
    const more = [...items, { name: 'a new item', theme: 'common' }]
    const chosen = sampled(more, sampling).filter(({ name }) => name !== 'a new item')
    expect(chosen).to.deep.equal(sampled(items, sampling))
  })

  it('returns all items at full scale', () => {
    process.env['TEST_SCALE'] = 'full'
    expect(sampled(items, sampling)).to.deep.equal(items)
  })
})
