import { expect } from 'chai'
import pg from 'pg'
import { stillEffects } from '../../../testing/support/still-effects.ts'
import { openTestDatabase } from '../../../testing/support/database.ts'
import { filesUpTo, laterFiles } from '../../../testing/support/migrations.ts'
import { exclusive } from './exclusive.ts'
import { migrate } from './migrate.ts'
import { createStatementTimes } from './statement-times.ts'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import type { Effects } from '../../runtime/effects.ts'
import type { Database } from '../connection/query.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'

const release = '9.9.9'

describe('a step that needs a lock', () => {
  let opened: TestDatabase
  let holder: pg.Client
  beforeEach(async () => {
    opened = await openTestDatabase()
    holder = new pg.Client(opened.connectionString)
    await holder.connect()
    await holder.query('begin; select from commands limit 1')
  })
  afterEach(async () => {
    await holder.end()
    await opened.close()
  })

  const addColumn = (database: Database, effects: Effects) =>
    exclusive({ database, effects, release }, 'step extra', async (query) => {
      await query('extra', 'alter table commands add column extra integer')
    })

  it('gives up its place in the queue after the lock timeout and tries again', async () => {
    const still = stillEffects()
    const waits: number[] = []
    const effects: Effects = {
      ...still,
      clock: {
        ...still.clock,
        schedule(delayMs, callback) {
          waits.push(delayMs)
          holder.query('commit', () => callback())
          return () => undefined
        },
      },
    }
    await addColumn(quick(opened.database), effects)
    expect(waits).to.have.length(1)
    expect(waits[0]).to.be.within(125, 250)
  })

  it('fails after 30 tries and says what to do', async () => {
    const error: unknown = await addColumn(quick(opened.database), stillEffects()).catch(
      (reason: unknown) => reason,
    )
    expect(error)
      .to.be.instanceOf(Error)
      .with.property('message')
      .match(/^step extra did not get its lock in 30 tries .*pg_stat_activity/)
  })
})

describe('a backfill', () => {
  it('pauses while statements are slow', async () => {
    const opened = await openTestDatabase()
    const files = [...(await filesUpTo(9)), ...laterFiles()]
    const figures = [80, 80, 10, 60, 10, 10, 10]
    const waits: number[] = []
    const still = stillEffects()
    await migrate({
      ...opened,
      effects: {
        ...still,
        clock: {
          ...still.clock,
          schedule(delayMs, callback) {
            waits.push(delayMs)
            return still.clock.schedule(delayMs, callback)
          },
        },
      },
      times: { record: () => undefined, p95: () => figures.shift() ?? 0 },
      release,
      files,
    })
    await opened.close()
    expect(waits).to.deep.equal([1_000, 1_000, 1_000])
    expect(figures).to.deep.equal([])
  })
})

describe('statement times', () => {
  it('gives the 95th percentile of the last 10 seconds', async () => {
    const clock = createVirtualClock()
    const times = createStatementTimes(clock)
    expect(times.p95()).to.equal(0)
    for (let n = 1; n <= 100; n += 1) times.record(n)
    expect(times.p95()).to.equal(95)
    await clock.advance(10_001)
    expect(times.p95()).to.equal(0)
    for (let n = 0; n < 600; n += 1) times.record(n < 88 ? 900 : 7)
    expect(times.p95()).to.equal(7)
  })
})

/** The same with a lock timeout of 20 ms. */
function quick(database: Database): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((query) =>
        work((name, text, values) => query(name, text.replace(`'2s'`, `'20ms'`), values)),
      ),
  }
}
