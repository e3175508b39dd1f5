import { expect } from 'chai'
import { useConsole } from './console.fixture.ts'
import { countFrames, memoryOf, startLive } from './under-load.ts'

describe('the console under load', () => {
  const at = useConsole()
  const changesAtOnce = 20
  const rounds = 100

  it('draws 30 frames a second while 200 of 1,000 commands change, on one stream and without polls', async () => {
    const live = await startLive(at, 1_000)
    await at.open('commands')
    await live.change(1_000)
    await at.page.getByText('Encoding').first().waitFor()
    const before = await memoryOf(at)
    const asked = at.browser.requested.length
    const frames = await countFrames(at)
    for (let round = 0; round < rounds; round += 1) {
      // Ten times a second; the frames of the page are the clock.
      const next = at.page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))')
      await Promise.all([live.change(changesAtOnce), next])
    }
    const { perSecond } = await frames.stop()
    const sorted = perSecond.toSorted((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)], perSecond.join(' ')).to.be.at.least(30)
    const after = await memoryOf(at)
    expect(after.nodes).to.be.at.most(before.nodes + 500)
    const requests = at.browser.requested.slice(asked).map((url) => new URL(url).pathname)
    const others = requests.filter((path) => path !== '/v1/events')
    // The usage is read once after commands have started.
    expect([[], ['/v1/usage']]).to.deep.include(others)
    expect(at.browser.requested.filter((url) => url.endsWith('/v1/events'))).to.have.length(1)
    await at.page
      .getByText(/\b[12] %/)
      .first()
      .waitFor()
    at.expectSilence()
  })
})
