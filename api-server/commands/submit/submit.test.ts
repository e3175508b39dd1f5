import { expect } from 'chai'
import { useStore } from '../../../testing/support/database.ts'
import { newCommand } from '../../../testing/store-contract/fixtures.ts'
import { createSubmit } from './submit.ts'
import { DatabaseUnavailable } from '../../../common/store/health.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import type { NewCommand } from '../../../common/store/commands.ts'

describe('submit', () => {
  const effects = systemEffects()
  const store = useStore()
  let accountId = ''
  before(async () => {
    accountId = await store.newAccount('unlimited')
  })

  const insertAll = (rows: readonly NewCommand[]) => store.insertCommands(rows)

  /** Real rows; `insert` may lose a reply or fail. */
  function setUp(insert: (rows: readonly NewCommand[]) => Promise<void> = insertAll) {
    const batches: number[] = []
    let notifications = 0
    const submit = createSubmit({
      effects,
      atTurnEnd: setImmediate,
      notify: () => (notifications += 1),
      store: {
        insertCommands(rows) {
          batches.push(rows.length)
          return insert(rows)
        },
      },
    })
    const isStored = async ({ commandId }: NewCommand) =>
      (await store.findCommand(accountId, commandId)) !== null
    return { submit, batches, isStored, notifications: () => notifications }
  }

  const command = (change: Partial<NewCommand> = {}) => ({ ...newCommand(accountId), ...change })

  it('stores the submissions of one event-loop turn in one statement', async () => {
    const { submit, batches, isStored, notifications } = setUp()
    const commands = Array.from({ length: 20 }, () => command())
    await Promise.all(commands.map(submit))
    expect([batches, notifications()]).to.deep.equal([[20], 1])
    expect(await Promise.all(commands.map(isStored))).not.to.include(false)
  })

  it('splits a burst into batches of 256 rows', async () => {
    const { submit, batches } = setUp()
    await Promise.all(Array.from({ length: 600 }, () => submit(command())))
    expect(batches).to.deep.equal([256, 256, 88])
  })

  it('batches submissions while the database is busy', async () => {
    const release = Promise.withResolvers<void>()
    const { submit, batches, isStored } = setUp(async (rows) => {
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
    expect(batches).to.deep.equal([1])
    release.resolve()
    await Promise.all(submitted)
    expect(batches).to.deep.equal([1, 5])
    expect(await Promise.all(commands.map(isStored))).not.to.include(false)
  })

  it('stores the submissions of a burst while the statement before them hangs', async () => {
    const release = Promise.withResolvers<void>()
    const { submit, batches } = setUp(async (rows) => {
      if (rows.length === 1) await release.promise
      await store.insertCommands(rows)
    })
    const hanging = submit(command())
    await new Promise(setImmediate)
    await Promise.all(Array.from({ length: 64 }, () => submit(command())))
    release.resolve()
    await hanging
    expect(batches).to.deep.equal([1, 64])
  })

  it('retries when the reply to a COMMIT is lost, and stores nothing twice', async () => {
    let lost = 0
    const { submit, batches, isStored } = setUp(async (rows) => {
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
    const { submit, isStored } = setUp()
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
