import { expect } from 'chai'
import { hasRun, titlesIn } from './story-titles.ts'

describe('titles of stories', () => {
  it('are found in the source, also of stories that are left out', () => {
    const source = "  it('gets a file', async () => {})\n  it.skip(`gets ${name} back`, f)\n"
    expect(titlesIn(source)).to.deep.equal(['gets a file', 'gets ${name} back'])
  })

  it('matches titles of stories with what ran, with any case of a table in them', () => {
    const ran = ['a developer gets a file', 'a developer gets clip.mp4 back']
    expect(hasRun('gets a file', ran)).to.equal(true)
    expect(hasRun('gets ${name} back', ran)).to.equal(true)
    expect(hasRun('gets ${name} back twice', ran)).to.equal(false)
    expect(hasRun('gets a', ran)).to.equal(false)
  })
})
