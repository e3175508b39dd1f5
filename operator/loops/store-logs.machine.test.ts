import { expect } from 'chai'
import { silentLogger } from '../../common/runtime/logger.ts'
import { createLogStorage } from './store-logs.ts'
import {
  commitOf,
  failed,
  newCommand,
  newId,
  progressOf,
  queuedStep,
} from '../../testing/store-contract/fixtures.ts'
import { createPostgresStore } from '../../common/database/postgres-store.ts'
import { ageDatabase, openTestDatabase } from '../../testing/support/database.ts'
import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import { createObjectStore } from '../../common/storage/create-object-store.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { openTestBucket } from '../../testing/support/object-store.ts'
import type { TestDatabase } from '../../testing/support/database.ts'
import type { LogChunk } from '../../common/gateway/messages.ts'
import type { FailpointName } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'
import { admitWaiting } from '../../testing/support/admit-waiting.ts'

describe('storeLogs', () => {
  let opened: TestDatabase
  let store: Store
  let storage: ReturnType<typeof createObjectStore>
  before(async function () {
    // The first use on a machine builds the S3 server.
    this.timeout(600_000)
    opened = await openTestDatabase()
    store = createPostgresStore(opened.database)
    storage = createObjectStore(await openTestBucket())
  })
  after(async () => {
    storage.close()
    await opened.close()
  })

  const run = async (steps: number, logs: LogChunk[]) => {
    const accountId = newId()
    await store.ensureAccount({ accountId, name: `a${accountId}`, plan: 'pro' })
    const command = newCommand(accountId)
    const commands = Array.from({ length: steps }, () => 'x')
    const source = { ...command.source, commands }
    await store.importCommand({ ...command, source, resourceUid: newId() })
    await admitWaiting(store, accountId)
    const { commandId } = command
    const podUid = newId()
    await store.claimAttempt({ commandId, jobGeneration: 1, podUid })
    const report = progressOf(commandId, podUid)
    await store.storeProgress({ ...report, steps: commands.map(() => queuedStep), logs })
    return { accountId, commandId, podUid }
  }
  const end = async ({ commandId, podUid }: { commandId: string; podUid: string }) => {
    const commit = commitOf(commandId, podUid, failed('FFMPEG_FAILED'))
    await store.commitOutcome(commit)
    await ageDatabase(opened.database, 10)
  }
  const sweep = (cut?: FailpointName) => {
    const effects = systemEffects(async (name, effect) => {
      const result = await effect()
      if (name === cut) throw new Error('cut off')
      return result
    })
    const term = { mustHold: () => undefined }
    const deps = { store, storage, term, effects, logger: silentLogger }
    return createLogStorage(deps)(new AbortController().signal)
  }
  const objectOf = async (commandId: string) => {
    const object = await store.findLogObject(commandId)
    if (object === null) return null
    const total = object.stepBytes.reduce((sum, bytes) => sum + bytes, 0)
    const pieces = []
    for await (const piece of await storage.readRange({ key: object.key, start: 0, end: total })) {
      pieces.push(piece)
    }
    return { ...object, text: Buffer.concat(pieces).toString() }
  }
  const rowsOf = async (commandId: string) => (await store.readLogs(commandId, null)).chunks

  it('stores the messages of a command as one object when it has ended', async () => {
    const command = await run(3, [
      { step: 0, sequence: 0, text: 'größer\n' },
      { step: 2, sequence: 1, text: 'third\n' },
      { step: 0, sequence: 2, text: 'end\n' },
    ])
    await end(command)
    await sweep()
    const { accountId, commandId } = command
    expect(await objectOf(commandId)).to.deep.equal({
      key: `private/${accountId}/logs/${commandId}.txt`,
      stepBytes: [13, 0, 6],
      text: 'größer\nend\nthird\n',
    })
    expect(await rowsOf(commandId)).to.deep.equal([])
    await sweep()
    expect(
      await store.findLogsToStore({ olderThanSeconds: 0, except: [], limit: 10 }),
    ).to.deep.equal([])
  })

  it('storeLogs does not store the messages of a running command', async () => {
    const { commandId } = await run(1, [{ step: 0, sequence: 0, text: 'x\n' }])
    await ageDatabase(opened.database, 3_600)
    await sweep()
    expect(await rowsOf(commandId)).to.have.length(1)
    expect(await objectOf(commandId)).to.equal(null)
  })

  it('neither loses nor duplicates rows when it is interrupted', async () => {
    for (const point of ['logs.object_put', 'logs.recorded'] as const) {
      const command = await run(1, [{ step: 0, sequence: 0, text: `${point}\n` }])
      await end(command)
      await sweep(point)
      const [rows, object] = [await rowsOf(command.commandId), await objectOf(command.commandId)]
      expect(rows.length === 1 || object !== null, point).to.equal(true)
      await sweep()
      expect((await objectOf(command.commandId))?.text).to.equal(`${point}\n`)
      expect(await rowsOf(command.commandId)).to.deep.equal([])
    }
  })

  it('stores the messages of the others when one object cannot be written', async () => {
    const commands = []
    for (const text of ['first\n', 'second\n', 'third\n']) {
      commands.push(await run(1, [{ step: 0, sequence: 0, text }]))
      await end(commands.at(-1) ?? { commandId: '', podUid: '' })
    }
    const [bad, ...others] = commands.map(({ commandId }) => commandId)
    if (bad === undefined) throw new Error('no command')
    let tries = 0
    const refusing: Pick<typeof storage, 'putBytes'> = {
      putBytes(object) {
        if (!object.key.includes(bad)) return storage.putBytes(object)
        tries += 1
        return Promise.reject(new Error('AccessDenied'))
      },
    }
    const deps = { store, storage: refusing, term: { mustHold: () => undefined } }
    const pass = createLogStorage({ ...deps, effects: systemEffects(), logger: silentLogger })
    await pass(new AbortController().signal)
    await pass(new AbortController().signal)
    for (const id of others) expect(await objectOf(id)).not.to.equal(null)
    expect(await rowsOf(bad)).to.have.length(1)
    // The backoff has not ended in the second pass.
    expect(tries).to.equal(1)
    await sweep()
    expect((await objectOf(bad))?.text).to.equal('first\n')
  })

  it('keeps the rows while the bucket is unavailable', async () => {
    const command = await run(1, [{ step: 0, sequence: 0, text: 'kept\n' }])
    await end(command)
    const away = { putBytes: () => Promise.reject(new ObjectStoreUnavailable(new Error('away'))) }
    const deps = { store, storage: away, term: { mustHold: () => undefined } }
    const pass = createLogStorage({ ...deps, effects: systemEffects(), logger: silentLogger })
    await pass(new AbortController().signal)
    expect(await rowsOf(command.commandId)).to.have.length(1)
    await sweep()
    expect((await objectOf(command.commandId))?.text).to.equal('kept\n')
  })
})
