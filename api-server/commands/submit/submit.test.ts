import { expect } from 'chai'
import { createSubmit } from './submit.ts'
import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import { openTestDatabase } from '../../../testing/support/database.ts'
import { DatabaseUnavailable } from '../../../common/store/health.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import type { NewCommand } from '../../../common/store/commands.ts'
import type { Store } from '../../../common/store/store.ts'

describe('submit', () => {
  const effects = systemEffects()
  let database: TestDatabase
  let accountId = ''
  before(async () => {
    database = await openTestDatabase()
    const account = { accountId: effects.newId(), name: 'default', plan: 'unlimited' }
    ;({ accountId } = await createPostgresStore(database.database).ensureAccount(account))
  })
  after(() => database.close())

  /** Real rows; `insert` may lose a reply or fail. */
  function setUp(insert: (rows: readonly NewCommand[], store: Store) => Promise<void>) {
    const store = createPostgresStore(database.database)
    const batches: number[] = []
    let notifications = 0
    const submit = createSubmit({
      effects,
      atTurnEnd: setImmediate,
      notify: () => (notifications += 1),
      store: {
        insertCommands(rows) {
          batches.push(rows.length)
          return insert(rows, store)
        },
      },
    })
    const isStored = async ({ commandId }: NewCommand) =>
      (await store.findCommand(accountId, commandId)) !== null
    return { submit, batches, isStored, notifications: () => notifications }
  }

  const insertAll = (rows: readonly NewCommand[], store: Store) => store.insertCommands(rows)

  function command(change: Partial<NewCommand> = {}): NewCommand {
    return {
      commandId: effects.newId(),
      accountId,
      environmentName: null,
      commandType: 'FFMPEG_COMMAND',
      source: { commands: ['x'], inputFiles: {}, inputCompressedFolder: null, outputFiles: null },
      originalRequest: {},
      metadata: null,
      vcpuCount: 1,
      maxRunSeconds: 1,
      isPrivate: false,
      outputTtlSeconds: null,
      webhookUrl: null,
      ...change,
    }
  }

  it('stores the submissions of one event-loop turn in one statement', async () => {
    const { submit, batches, isStored, notifications } = setUp(insertAll)
    const commands = Array.from({ length: 20 }, () => command())
    await Promise.all(commands.map(submit))
    expect([batches, notifications()]).to.deep.equal([[20], 1])
    expect(await Promise.all(commands.map(isStored))).not.to.include(false)
  })

  it('splits a burst into batches of 256 rows', async () => {
    const { submit, batches } = setUp(insertAll)
    await Promise.all(Array.from({ length: 600 }, () => submit(command())))
    expect(batches).to.deep.equal([256, 256, 88])
  })

  it('batches submissions while the database is busy', async () => {
    const release = Promise.withResolvers<void>()
    const { submit, batches, isStored } = setUp(async (rows, store) => {
      await release.promise
      await store.insertCommands(rows)
    })
    const turn = () => new Promise(setImmediate)
    const commands = Array.from({ length: 6 }, () => command())
    const submitted = []
    for (const one of commands) {
      submitted.push(submit(one))
      await turn()
    }
    expect(batches).to.deep.equal([1, 1])
    release.resolve()
    await Promise.all(submitted)
    expect(batches).to.deep.equal([1, 1, 4])
    expect(await Promise.all(commands.map(isStored))).not.to.include(false)
  })

  it('retries when the reply to a COMMIT is lost, and stores nothing twice', async () => {
    let lost = 0
    const { submit, batches, isStored } = setUp(async (rows, store) => {
      await store.insertCommands(rows)
      if ((lost += 1) === 1) throw new DatabaseUnavailable(new Error('reset'))
    })
    const one = command()
    await submit(one)
    expect([batches, await isStored(one)]).to.deep.equal([[1, 1], true])
  })

  it('rejects all when the database stays unavailable', async () => {
    const { submit, notifications } = setUp(() =>
      Promise.reject(new DatabaseUnavailable(new Error('away'))),
    )
    const results = await Promise.allSettled([submit(command()), submit(command())])
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    expect(notifications()).to.equal(0)
  })

  it('rejects only the submission whose row the database refuses', async () => {
    const { submit, isStored } = setUp(insertAll)
    const good = [command(), command()]
    const poisoned = command({ vcpuCount: 0 })
    const results = await Promise.allSettled([...good, poisoned].map(submit))
    expect(results.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
    expect(await Promise.all(good.map(isStored))).to.deep.equal([true, true])
  })
})
