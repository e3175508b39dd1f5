import { expect } from 'chai'
import { useConsole } from './console.fixture.ts'
import { memoryOf, startLive } from './under-load.ts'

describe('the console under load', () => {
  const at = useConsole()
  const changesAtOnce = 20
  const rounds = 100

  it('follows 1,000 commands on one stream and without polls while they change, and keeps no elements of earlier states', async () => {
    const live = await startLive(at, 1_000)
    await at.open('commands')
    await live.change(1_000)
    await at.page.getByText('Encoding').first().waitFor()
    const before = await memoryOf(at)
    const asked = at.browser.requested.length
    for (let round = 0; round < rounds; round += 1) {
      // The page draws between two rounds.
      const drawn = at.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
      await Promise.all([live.change(changesAtOnce), drawn])
    }
    // The last of 2,000 changes, two for each command after the first thousand.
    await at.page.getByText('2 %').first().waitFor()
    const after = await memoryOf(at)
    expect(after.nodes).to.be.at.most(before.nodes + 500)
    const requests = at.browser.requested.slice(asked).map((url) => new URL(url).pathname)
    const others = requests.filter((path) => path !== '/v1/events')
    // The usage is read once after commands have started.
    expect([[], ['/v1/usage']]).to.deep.include(others)
    expect(at.browser.requested.filter((url) => url.endsWith('/v1/events'))).to.have.length(1)
    at.expectSilence()
  })
})
