import { expect } from 'chai'
import { Registry } from 'prom-client'
import { useResource } from '../../../testing/support/mocha.ts'
import { openTestDatabase } from '../../../testing/support/database.ts'
import { silentLogger } from '../../runtime/logger.ts'
import { systemEffects } from '../../runtime/system-effects.ts'
import { createHints } from './create-hints.ts'
import { createHintMetrics } from './listener.ts'
import type { Hints } from './create-hints.ts'

describe('createHints', () => {
  const opened = useResource(openTestDatabase)
  const running: Hints[] = []

  afterEach(() => Promise.all(running.splice(0).map(({ part }) => part.stop())))

  async function process(
    applicationName: string,
    connectionString: string | null = opened.connectionString,
  ): Promise<Hints> {
    const hints = createHints({
      query: opened.database.query,
      connectionString,
      applicationName,
      effects: { ...systemEffects(), random: () => 0 },
      metrics: createHintMetrics(new Registry()),
      logger: silentLogger,
    })
    const connected = nextHint(hints)
    await hints.part.start()
    running.push(hints)
    if (connectionString !== null) await connected
    return hints
  }

  it('wakes the loops of other processes', async () => {
    const one = await process('one')
    const other = await process('other')
    const woken = nextHint(other)
    one.give('webhooks')
    await woken
  })

  it('wakes all loops when it listens again after its connection broke', async () => {
    const hints = await process('broken')
    expect(hints.longestMs()).to.equal(5_000)
    const again = nextHint(hints)
    await opened.database.query(
      'cut',
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'broken'`,
    )
    await again
    expect(hints.longestMs()).to.equal(5_000)
  })

  it('lets loops poll each second where it cannot listen', async () => {
    const hints = await process('pooled', null)
    expect(hints.longestMs()).to.equal(1_000)
    const unreachable = createHints({
      query: opened.database.query,
      connectionString: 'postgres://unused@127.0.0.1:1/none',
      applicationName: 'unreachable',
      effects: systemEffects(),
      metrics: createHintMetrics(new Registry()),
      logger: silentLogger,
    })
    await unreachable.part.start()
    running.push(unreachable)
    expect(unreachable.longestMs()).to.equal(1_000)
  })
})

function nextHint(hints: Hints): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = hints.subscribe('webhooks', () => {
      unsubscribe()
      resolve()
    })
  })
}
