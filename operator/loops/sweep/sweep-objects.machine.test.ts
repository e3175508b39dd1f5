import { expect } from 'chai'
import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { systemClock, systemEffects } from '../../../common/runtime/system-effects.ts'
import { ObjectStoreUnavailable } from '../../../common/storage/object-store.ts'
import type { SweepBacklog } from '../../../common/store/health.ts'
import type { Store } from '../../../common/store/store.ts'
import { newCommand, newId } from '../../../testing/store-contract/fixtures.ts'
import { openTestDatabase } from '../../../testing/support/database.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import { createObjectSweep } from './sweep-objects.ts'
import type { SweepStorage } from './sweep-objects.ts'

/** A request to the object store, in ms. */
const requestMs = 20

describe('createObjectSweep', () => {
  let opened: TestDatabase
  let store: Store
  let backlog: SweepBacklog | undefined
  beforeEach(async () => {
    opened = await openTestDatabase()
    store = createPostgresStore(opened.database)
  })
  afterEach(() => opened.close())

  /** Attempts that ended an hour and more ago, `pod-1` first; they go round the accounts. */
  async function lost(count: number, accounts = 1): Promise<void> {
    const { query } = opened.database
    const commandIds = []
    for (let index = 0; index < accounts; index += 1) {
      const accountId = newId()
      await store.ensureAccount({ accountId, name: `a${index}`, plan: 'pro' })
      const command = newCommand(accountId)
      await store.insertCommands([command])
      commandIds.push(command.commandId)
    }
    await query(
      'attempts',
      `insert into attempts (command_id, attempt, round, sweep_from)
       select ($1::uuid[])[1 + n % $2::integer], 'pod-' || n, 1,
         now() - interval '2 hours' + n * interval '0.1 s'
       from generate_series(1, $3::integer) n`,
      [commandIds, accounts, count],
    )
  }

  /** Time passes with the requests to the object store, of which eight are in flight. */
  function sweepWith(deletePrefix: (prefix: string) => Promise<number>) {
    let requests = 0
    const clock = {
      ...systemClock,
      monotonicMs: () => (requests * requestMs) / 8,
    }
    const storage: SweepStorage = {
      abortMultipart: async () => void (requests += 1),
      abortMultiparts: async () => void (requests += 1),
      deletePrefix(prefix) {
        requests += 1
        return deletePrefix(prefix)
      },
      deleteObjects: () => Promise.resolve(new Map()),
    }
    const pass = createObjectSweep(
      {
        store,
        storage,
        term: { mustHold: () => undefined },
        effects: { ...systemEffects(), clock },
        results: {
          find() {
            requests += 1
            return Promise.resolve(null)
          },
        },
        metrics: {
          swept: () => undefined,
          sweepBacklog: (_kind, found) => (backlog = found),
          outcomeRestored: () => undefined,
          shownOutcomeLost: () => undefined,
        },
        logger: silentLogger,
      },
      60,
    )
    return { clock, pass: () => pass(new AbortController().signal) }
  }

  it('sweeps 10,000 attempts behind one that always fails within three minutes', async () => {
    await lost(10_001)
    let failures = 0
    const { clock, pass } = sweepWith((prefix) => {
      if (!prefix.endsWith('/pod-1/')) return Promise.resolve(1)
      failures += 1
      return Promise.reject(new Error('AccessDenied'))
    })
    let passes = 1
    for (; (await pass()) === 'behind'; passes += 1);
    expect(backlog).to.include({ due: 0, failing: 1 })
    // The backoff of that one is 30 s, by the clock of the database.
    expect(failures).to.equal(1)
    // Without a pause between the passes, because each but the last leaves attempts behind.
    expect(passes).to.be.above(1)
    expect(clock.monotonicMs()).to.be.below(180_000)
  })

  it('ends the pass when the object store is away, and postpones few attempts for it', async () => {
    await lost(300, 3)
    const away = sweepWith(() => Promise.reject(new ObjectStoreUnavailable(new Error('away'))))
    const error: unknown = await away.pass().catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(ObjectStoreUnavailable)
    const failing = backlog?.failing ?? 0
    expect(failing).to.be.below(5)
    expect(await sweepWith(() => Promise.resolve(1)).pass()).to.equal('drained')
    expect(backlog).to.include({ due: 0, failing })
  })
})
