import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createPauseMetrics } from './pause-metrics.ts'
import { createPauseWatch } from './pause-watch.ts'
import { runPath, submission, useApp } from '../../testing/support/api/app.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import type { Pause } from '../../common/store/administration/pauses.ts'

const pause: Pause = {
  what: 'submissions',
  accountId: null,
  why: 'the database is moved',
  pausedAt: new Date('2026-05-19T18:15:40Z'),
}

describe('paused submissions', () => {
  let pauses: Pause[] = []
  const app = useApp({ pauses: { current: () => pauses } })
  afterEach(() => (pauses = []))

  it('paused submissions answer 503 with the reason and when to retry, and create nothing', async () => {
    pauses = [pause]
    const before = await app.count('commands')
    for (const [path, body] of [
      [runPath, submission],
      ['/v1/files/store-file', { file_url: 'https://media.example/a.mov' }],
    ] as const) {
      const { status, headers, body: answer } = await app.post(path, body)
      expect(status, path).to.equal(503)
      expect(headers.get('retry-after')).to.equal('30')
      expect(JSON.stringify(answer)).to.contain('the database is moved')
    }
    expect(await app.count('commands')).to.equal(before)
  })

  it('paused submissions leave reads and other calls alone, and so do other pauses', async () => {
    const id = await app.submit()
    pauses = [pause]
    expect((await app.call(`/v1/commands/${id}`)).status).to.equal(200)
    pauses = [{ ...pause, what: 'admission' }]
    expect((await app.post(runPath, submission)).status).to.equal(200)
  })
})

describe('createPauseWatch', () => {
  it('knows the pauses before the first request, and new ones after a hint or 5 s', async () => {
    const clock = createVirtualClock()
    let stored: Pause[] = [pause]
    let hint = (): void => undefined
    const registry = new Registry()
    const watch = createPauseWatch({
      metrics: createPauseMetrics(registry),
      store: { readPauses: async () => stored },
      hints: {
        subscribe(_hint, onHint) {
          hint = onHint
          return () => undefined
        },
      },
      effects: { ...systemEffects(), clock },
      logger: silentLogger,
    })
    await watch.start()
    expect(watch.current()).to.deep.equal([pause])
    expect(await registry.metrics()).to.match(/paused\{what="submissions"\} 1/)
    stored = []
    await clock.advance(5_000)
    expect(watch.current()).to.deep.equal([])
    expect(await registry.metrics()).to.match(/paused\{what="submissions"\} 0/)
    stored = [pause]
    hint()
    await clock.advance(100)
    expect(watch.current()).to.deep.equal([pause])
    await watch.stop()
  })
})
