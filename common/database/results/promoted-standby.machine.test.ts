import { expect } from 'chai'
import { systemEffects } from '../../runtime/system-effects.ts'
import { createObjectStore } from '../../storage/create-object-store.ts'
import { readResult, resultObject } from '../../storage/result-object.ts'
import { openTestBucket } from '../../../testing/support/object-store.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'
import { testPool } from '../../../testing/support/database.ts'
import { startWithStandby } from '../../../testing/databases/standby.ts'
import { until } from '../../../testing/support/until.ts'
import {
  commitOf,
  newCommand,
  newFile,
  newId,
  progressOf,
} from '../../../testing/store-contract/fixtures.ts'
import type { PrimaryAndStandby } from '../../../testing/databases/standby.ts'
import type { Store } from '../../store/store.ts'
import { migrate } from '../migration/migrate.ts'
import { createPostgresStore } from '../postgres-store.ts'
import type { Database } from '../connection/query.ts'

const commands = 20

describe('a primary with a standby', () => {
  let servers: PrimaryAndStandby
  const pools: Database[] = []

  before(async () => {
    servers = await startWithStandby()
    await migrate({ ...servers.primary, effects: systemEffects() })
  })
  after(async () => {
    await Promise.all(pools.map((pool) => pool.close()))
  })

  it('takes relaxed progress while a synchronous standby is away, and makes an end wait', async () => {
    const { primary, standby } = servers
    const database = poolOf(primary.connectionString)
    const relaxed = createPostgresStore(database, { relaxedProgress: true })
    const [held, free] = await running(relaxed, 2)
    await disconnect()
    await primary.sql(`alter system set synchronous_standby_names = 'ANY 1 (*)'`)
    await primary.sql('select pg_reload_conf()')
    await until(async () => (await setting(primary, 'synchronous_standby_names')) === 'ANY 1 (*)')
    const answer = await relaxed.storeProgress(progressOf(free?.commandId ?? '', free?.pod ?? ''))
    expect(answer.kind).to.equal('stored')

    let hasEnded = false
    const end = relaxed
      .commitOutcome(commitOf(held?.commandId ?? '', held?.pod ?? ''))
      .finally(() => (hasEnded = true))
    await until(async () => (await waiting(primary)) === 1)
    expect(hasEnded).to.equal(false)
    await primary.sql(`alter system reset synchronous_standby_names`)
    await primary.sql('select pg_reload_conf()')
    expect(await end).to.deep.equal({ kind: 'committed' })
    await connect(standby)
  })

  it('changes no shown end when it is promoted without the last commits', async () => {
    const { primary, standby } = servers
    const store = createPostgresStore(poolOf(primary.connectionString))
    const history = (await store.readHistory()).current
    await store.recordCompared(history)
    const begun = await running(store, commands)
    await until(async () => (await lag(primary)) === 0)
    await disconnect()

    const objects = createObjectStore(await openTestBucket())
    const shown = new Map<string, unknown>()
    for (const { commandId, accountId, pod } of begun) {
      const files = [newFile(commandId)]
      await store.commitOutcome(commitOf(commandId, pod, { status: 'SUCCESS', files }))
      const result = await store.findResult(commandId)
      if (result === null) throw new Error('no result')
      await objects.putBytes(resultObject(result))
      shown.set(commandId, ended(await store.findCommand(accountId, commandId)))
    }
    await primary.kill()
    await standby.sql('select pg_promote(true, 120)')

    const promoted = createPostgresStore(poolOf(standby.connectionString))
    const after = await promoted.readHistory()
    expect(after.current.slice(0, 8)).to.equal('00000002')
    expect(after.compared).to.equal(history)
    for (const { commandId, accountId, pod } of begun) {
      expect((await promoted.findCommand(accountId, commandId))?.status).to.equal('PROCESSING')
      const result = await readResult(objects, { accountId, commandId, attempt: pod })
      if (result === null) throw new Error('no result object')
      const { files, round, ...end } = result
      const outcome = { status: 'SUCCESS', files } as const
      expect(await promoted.restoreOutcome({ ...end, jobGeneration: round, outcome })).to.equal(
        'restored',
      )
      expect(ended(await promoted.findCommand(accountId, commandId))).to.deep.equal(
        shown.get(commandId),
      )
    }
    objects.close()
  })

  async function disconnect(): Promise<void> {
    await servers.standby.sql(`alter system set primary_conninfo = ''`)
    await servers.standby.sql('select pg_reload_conf()')
    await until(async () => (await lag(servers.primary)) === null)
  }

  async function connect(server: PrimaryAndStandby['standby']): Promise<void> {
    const { port } = new URL(servers.primary.connectionString)
    await server.sql(
      `alter system set primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'`,
    )
    await server.sql('select pg_reload_conf()')
    await until(async () => (await lag(servers.primary)) === 0)
  }

  function poolOf(connectionString: string): Database {
    const pool = testPool(connectionString)
    pools.push(pool)
    return pool
  }
})

/** Commands of a new account that pods hold. */
async function running(store: Store, count: number) {
  const account = { accountId: newId(), name: `a${newId()}`, plan: 'pro' }
  const { accountId } = await store.ensureAccount(account)
  const begun = Array.from({ length: count }, () => ({
    command: newCommand(accountId),
    pod: newId(),
  }))
  await store.insertCommands(begun.map(({ command }) => command))
  for (const { command } of begun) await store.markDispatched(command.commandId, newId())
  await admitWaiting(store, accountId, { vcpuLimit: null, passSeconds: 300 })
  for (const { command, pod } of begun) {
    await store.claimAttempt({ commandId: command.commandId, jobGeneration: 1, podUid: pod })
  }
  return begun.map(({ command, pod }) => ({ accountId, commandId: command.commandId, pod }))
}

/** End of a command as users read it; each change of the row has a version of its own. */
function ended(record: object | null): unknown {
  return { ...record, version: null }
}

/** Bytes of WAL that the standby has not replayed; null without a standby. */
async function lag(server: PrimaryAndStandby['primary']): Promise<number | null> {
  const [row] = await server.sql<{ lag: string }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) as lag from pg_stat_replication',
  )
  return row === undefined ? null : Number(row.lag)
}

async function waiting(server: PrimaryAndStandby['primary']): Promise<number> {
  const [row] = await server.sql<{ count: string }>(
    `select count(*) from pg_stat_activity where wait_event = 'SyncRep'`,
  )
  return Number(row?.count)
}

async function setting(
  server: PrimaryAndStandby['primary'],
  name: string,
): Promise<string | undefined> {
  const [row] = await server.sql<{ value: string }>(`select current_setting('${name}') as value`)
  return row?.value
}
