import { expect } from 'chai'
import { attemptPrefix, logKey, resultKey } from '../../../common/domain/storage-keys.ts'
import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { createObjectStore } from '../../../common/storage/create-object-store.ts'
import { commitOf, failed, newCommand, newId } from '../../../testing/store-contract/fixtures.ts'
import { ageDatabase, openTestDatabase } from '../../../testing/support/database.ts'
import { useResource } from '../../../testing/support/mocha.ts'
import { openTestBucket } from '../../../testing/support/object-store.ts'
import { crashAt } from '../retention/retention.fixture.ts'
import { createOrphanSweep } from './sweep-orphans.ts'
import type { Failpoint } from '../../../common/runtime/effects.ts'
import type { ObjectRemoval } from '../../../common/storage/object-store.ts'
import type { SweepBacklog } from '../../../common/store/health.ts'

const days = (count: number): number => count * 86_400

describe('createOrphanSweep', function () {
  // The first use on a machine builds the S3 server.
  this.timeout(600_000)
  const test = useResource(openSweep)

  it('deletes all objects of a command without a row after seven days, and none sooner', async () => {
    const commandId = newId()
    const keys = await test.orphan(commandId, null)
    const beside = await test.put(logKey({ accountId: test.accountId, commandId: newId() }))
    await test.age(days(7) - 60)
    expect(await test.sweep()).to.equal('idle')
    expect(test.backlog()).to.deep.equal({ due: 0, failing: 0, oldestSeconds: 0 })
    expect(await test.left(keys)).to.deep.equal(keys)
    await test.age(120)
    expect(await test.sweep()).to.equal('drained')
    expect(await test.left([...keys, beside])).to.deep.equal([beside])
    expect(await test.recorded()).to.equal(0)
  })

  it('deletes an attempt and leaves the others of its command', async () => {
    const { commandId } = await test.command()
    const winner = 'winner'
    await test.query(
      'ended',
      `update commands set status = 'SUCCESS', attempt = $2, attempts = 1, round = 1, admitted_at = now(),
         round_began_at = now(), started_at = now(), finished_at = now(), progress_percent = 100
       where command_id = $1`,
      [commandId, winner],
    )
    const kept = await test.fill(commandId, winner)
    const keys = await test.orphan(commandId, 'lost-claim')
    await test.age(days(8))
    await test.sweep()
    expect(await test.left([...keys, ...kept])).to.deep.equal(kept)
  })

  it('leaves objects whose command has a row again, and forgets them', async () => {
    const command = newCommand(test.accountId)
    const keys = await test.orphan(command.commandId, null)
    await test.store.insertCommands([command])
    await test.age(days(8))
    await test.sweep()
    expect(await test.left(keys)).to.deep.equal(keys)
    expect(await test.recorded()).to.equal(0)
  })

  it('leaves an attempt of a failed command from whose result object it could be restored', async () => {
    const { commandId } = await test.command()
    await test.store.commitOutcome(commitOf(commandId, null, failed('START_TIMEOUT')))
    const keys = await test.orphan(commandId, 'lost-claim')
    await test.age(days(8))
    await test.sweep()
    expect(await test.left(keys)).to.deep.equal(keys)
  })

  it('postpones what the storage does not delete, and counts it as failing', async () => {
    const keys = await test.orphan(newId(), null)
    await test.age(days(8))
    const deletePrefix = () => Promise.reject(new Error('denied'))
    await test.sweep({ storage: { deletePrefix } })
    expect(test.backlog()).to.include({ due: 0, failing: 1 })
    expect(await test.sweep()).to.equal('idle')
    await test.age(31)
    await test.sweep()
    expect(await test.left(keys)).to.deep.equal([])
  })

  for (const when of ['before', 'after'] as const) {
    it(`the sweep ends the same when it crashes ${when} any effect`, async () => {
      let effects = 0
      for (let at = 1, met = at; met === at; at += 1) {
        effects = at - 1
        const keys = await test.orphan(newId(), null)
        await test.age(days(8))
        const crash = crashAt(at, when)
        await test.sweep({ failpoint: crash.failpoint }).catch(() => undefined)
        met = crash.met() < at ? 0 : at + 1
        await test.age(31)
        await test.sweep()
        expect(await test.left(keys), `${at}`).to.deep.equal([])
        expect(await test.recorded()).to.equal(0)
      }
      expect(effects).to.be.greaterThan(5)
    })
  }
})

async function openSweep() {
  const opened = await openTestDatabase()
  const { database } = opened
  const store = createPostgresStore(database)
  const objects = createObjectStore(await openTestBucket())
  const accountId = newId()
  await store.ensureAccount({ accountId, name: 'first', plan: 'pro' })
  let backlog: SweepBacklog | undefined

  async function put(key: string): Promise<string> {
    const object = { key, contentType: 'text/plain', attachment: false }
    await objects.putBytes({ ...object, bytes: Buffer.from('x') })
    return key
  }
  async function fill(commandId: string, attempt: string): Promise<string[]> {
    const folder = attemptPrefix({ visibility: 'public', accountId, commandId, attempt })
    const result = resultKey({ accountId, commandId, attempt })
    return [await put(`${folder}o.mp4`), await put(`${folder}list/1.ts`), await put(result)]
  }

  return {
    store,
    accountId,
    put,
    fill,
    query: database.query,
    age: (seconds: number) => ageDatabase(database, seconds),
    backlog: () => backlog,
    sweep: ({
      failpoint,
      storage = {},
    }: { failpoint?: Failpoint; storage?: Partial<ObjectRemoval> } = {}) =>
      createOrphanSweep({
        store,
        storage: { ...objects, ...storage },
        term: { mustHold: () => undefined },
        effects: systemEffects(failpoint),
        metrics: { swept: () => undefined, sweepBacklog: (_kind, found) => (backlog = found) },
        logger: silentLogger,
      })(new AbortController().signal),
    async command() {
      const command = newCommand(accountId)
      await store.insertCommands([command])
      return command
    },
    /** Objects with a record of them. @returns their keys */
    async orphan(ownerId: string, attempt: string | null): Promise<string[]> {
      const keys = await fill(ownerId, attempt ?? 'pod')
      if (attempt === null) keys.push(await put(logKey({ accountId, commandId: ownerId })))
      const size = { objects: keys.length, bytes: keys.length }
      await store.recordOrphans([{ accountId, ownerId, attempt, ...size }])
      return keys
    },
    async recorded(): Promise<number> {
      return (await database.query('recorded', 'select from orphans')).length
    },
    left: async (keys: readonly string[]) => {
      const found = await Promise.all(keys.map((key) => objects.head(key)))
      return keys.filter((_, index) => found[index] !== null)
    },
    async close() {
      objects.close()
      await opened.close()
    },
  }
}
