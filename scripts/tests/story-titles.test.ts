import { expect } from 'chai'
import { hasRun, titlesIn } from './story-titles.ts'

describe('titles of stories', () => {
  it('are read from the source, also for skipped stories', () => {
    const source = "  it('gets a file', async () => {})\n  it.skip(`gets ${name} back`, f)\n"
    expect(titlesIn(source)).to.deep.equal(['gets a file', 'gets ${name} back'])
  })

  it('match the tests that ran, with any text that a table of cases inserts', () => {
    const ran = ['a developer gets a file', 'a developer gets clip.mp4 back']
    expect(hasRun('gets a file', ran)).to.equal(true)
    expect(hasRun('gets ${name} back', ran)).to.equal(true)
    expect(hasRun('gets ${name} back twice', ran)).to.equal(false)
    expect(hasRun('gets a', ran)).to.equal(false)
  })
})
