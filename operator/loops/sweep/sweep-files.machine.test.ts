import { expect } from 'chai'
import { commitOf, newCommand, newFile, newId } from '../../../testing/store-contract/fixtures.ts'
import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import { ageDatabase, openTestDatabase } from '../../../testing/support/database.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { createObjectStore } from '../../../common/storage/create-object-store.ts'
import { uploadKey } from '../../../common/domain/storage-keys.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { openTestBucket } from '../../../testing/support/object-store.ts'
import { createFileSweep } from './sweep-files.ts'
import type { Failpoint } from '../../../common/runtime/effects.ts'
import type { ObjectRemoval } from '../../../common/storage/object-store.ts'
import type { SweepBacklog } from '../../../common/store/health.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import type { NewFile } from '../../../common/store/files.ts'
import type { Store } from '../../../common/store/store.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'

describe('createFileSweep', () => {
  let database: TestDatabase
  let store: Store
  let objects: ReturnType<typeof createObjectStore>
  let accountId: string
  before(async function () {
    this.timeout(600_000)
    database = await openTestDatabase()
    store = createPostgresStore(database.database)
    objects = createObjectStore(await openTestBucket())
    accountId = newId()
    await store.ensureAccount({ accountId, name: 'first', plan: 'pro' })
  })
  after(async () => {
    objects.close()
    await database.close()
  })

  let backlog: SweepBacklog | undefined
  const sweep = (failpoint?: Failpoint, storage: Partial<ObjectRemoval> = {}) =>
    createFileSweep({
      store,
      storage: { ...objects, ...storage },
      term: { mustHold: () => undefined },
      effects: systemEffects(failpoint),
      metrics: { swept: () => undefined, sweepBacklog: (_kind, found) => (backlog = found) },
      logger: silentLogger,
    })(new AbortController().signal)

  async function put(key: string): Promise<string> {
    const body = Buffer.from('x')
    const object = { key, contentType: 'text/plain', attachment: false, sizeBytes: 1 }
    const [grant] = await objects.presignPuts([object], 60)
    const { url, headers } = grant ?? { url: '', headers: {} }
    expect((await fetch(url, { method: 'PUT', body, headers })).status).to.equal(200)
    return key
  }

  const left = async (keys: readonly string[]) => {
    const found = await Promise.all(keys.map((key) => objects.head(key)))
    return keys.filter((_, index) => found[index] !== null)
  }

  /** A command that has stored these files. */
  async function outputs(files: (commandId: string) => NewFile[]): Promise<string> {
    const command = newCommand(accountId)
    const { commandId } = command
    await store.insertCommands([command])
    await store.markDispatched(commandId, newId())
    await admitWaiting(store, accountId)
    await store.claimAttempt({ commandId, jobGeneration: 1, podUid: 'pod' + commandId })
    const outcome = { status: 'SUCCESS', files: files(commandId) } as const
    const committed = await store.commitOutcome(commitOf(commandId, 'pod' + commandId, outcome))
    expect(committed.kind).to.equal('committed')
    return commandId
  }

  const playlist = (commandId: string): NewFile => {
    const file = newFile(commandId, 'list/out.m3u8')
    const media = { ...file.media, file_type: 'output_manifest' }
    return { ...file, alias: 'out_playlist_1', fileCount: 3, media }
  }

  async function upload(name = 'clip ä.mp4') {
    const fileId = newId()
    const key = uploadKey({ visibility: 'public', accountId, fileId, name })
    await store.openUpload({
      fileId,
      accountId,
      environmentName: null,
      isPrivate: false,
      webhookUrl: null,
      originalFileUrl: name,
      key,
      sizeBytes: 1,
      partBytes: 5_242_880,
      beginSeconds: 600,
    })
    const uploadId = await objects.createMultipart({ key, contentType: 'a/b', attachment: false })
    return { fileId, key, uploadId }
  }

  it("removes a deleted output and nothing beside it; a playlist's whole folder with its manifest", async () => {
    const commandId = await outputs((id) => [newFile(id), playlist(id)])
    const folder = `public/a/${commandId}/pod`
    const single = await put(`${folder}/o.mp4`)
    const list = await Promise.all(
      ['out.m3u8', 'v0/1.ts', 'v0/part.m3u8'].map((name) => put(`${folder}/list/${name}`)),
    )
    const beside = await put(`${folder}/list2/1.ts`)
    const [one, manifest] = (await store.findCommand(accountId, commandId))?.files ?? []
    await store.deleteFiles({
      accountId,
      fileIds: [manifest?.fileId ?? ''],
      withoutManifests: false,
    })
    await sweep()
    expect(await left([single, ...list, beside])).to.deep.equal([single, beside])
    await store.deleteFiles({ accountId, fileIds: [one?.fileId ?? ''], withoutManifests: true })
    await sweep()
    await sweep()
    expect(await left([single, beside])).to.deep.equal([beside])
    expect(await store.findSweepableFiles({ limit: 10 })).to.deep.equal([])
  })

  it('ends uploads past their time and discards their parts, of unrecorded uploads too', async () => {
    const recorded = await upload()
    await store.recordUploadId({ ...recorded, sessionSeconds: 7_200 })
    const forgotten = await upload()
    await ageDatabase(database.database, 700)
    await sweep()
    expect(await store.findFile(accountId, forgotten.fileId)).to.include({
      status: 'FAILED',
      errorStatus: 'UPLOAD_EXPIRED',
      errorMessage: 'Upload session expired after 10 minutes',
    })
    expect(await objects.listParts(forgotten.key, forgotten.uploadId)).to.equal(null)
    expect(await store.findFile(accountId, recorded.fileId)).to.include({ status: 'QUEUED' })
    await ageDatabase(database.database, 7_200)
    await sweep()
    expect(await objects.listParts(recorded.key, recorded.uploadId)).to.equal(null)
    expect((await store.findFile(accountId, recorded.fileId))?.errorMessage).to.equal(
      'Upload session expired after 2 hours',
    )
  })

  it('the sweep leaves an upload that is being completed', async () => {
    const { fileId, uploadId } = await upload()
    await store.recordUploadId({ fileId, uploadId, sessionSeconds: 60 })
    await ageDatabase(database.database, 50)
    const claim = await store.claimCompletion({ accountId, fileId, claimSeconds: 30 })
    expect(claim.kind).to.equal('claimed')
    await ageDatabase(database.database, 20)
    await sweep()
    expect((await store.completeUpload({ accountId, fileId }))?.status).to.equal('UPLOADED')
  })

  it('the sweep leaves a deleted file while the work on it could store it again', async () => {
    const { fileId, key } = await upload()
    await store.completeUpload({ accountId, fileId })
    await put(key)
    await store.deleteFiles({ accountId, fileIds: [fileId], withoutManifests: true })
    await sweep()
    expect(await left([key])).to.deep.equal([key])
    const outcome = { status: 'FAILED', errorStatus: 'CANCELLED', errorMessage: 'x' } as const
    await store.commitOutcome({ ...commitOf(fileId, null, outcome), steps: null, usage: null })
    await sweep()
    expect(await left([key])).to.deep.equal([])
    expect(await store.findFile(accountId, fileId)).to.include({ status: 'FAILED' })
  })

  it('deletes files whose time has passed', async () => {
    const commandId = await outputs((id) => [newFile(id)])
    const key = await put(`public/a/${commandId}/pod/o.mp4`)
    await database.database.query(
      'expire',
      `update files set expires_at = now() + interval '1 minute' where command_id = $1`,
      [commandId],
    )
    await sweep()
    expect(await left([key])).to.deep.equal([key])
    await ageDatabase(database.database, 61)
    await sweep()
    expect(await left([key])).to.deep.equal([])
    const [file] = (await store.findCommand(accountId, commandId))?.files ?? []
    expect(file?.status).to.equal('STORED')
    expect(file?.deletedAt).to.be.instanceOf(Date)
  })

  it('postpones the objects that the store does not delete, and deletes the others', async () => {
    const commandId = await outputs((id) => ['a', 'b', 'c'].map((name) => newFile(id, name)))
    const keys = ['a', 'b', 'c'].map((name) => `public/a/${commandId}/pod/${name}`)
    for (const key of keys) await put(key)
    const files = (await store.findCommand(accountId, commandId))?.files ?? []
    const fileIds = files.map(({ fileId }) => fileId)
    await store.deleteFiles({ accountId, fileIds, withoutManifests: true })
    const denied = keys.slice(0, 1)
    const refusing = {
      async deleteObjects(asked: readonly string[]) {
        await objects.deleteObjects(asked.filter((key) => !denied.includes(key)))
        return new Map(denied.map((key) => [key, new Error('AccessDenied')]))
      },
    }
    await sweep(undefined, refusing)
    expect(await left(keys)).to.deep.equal(denied)
    expect(backlog).to.include({ due: 0, failing: 1 })
    await sweep()
    expect(await left(keys)).to.deep.equal(denied)
    await ageDatabase(database.database, 31)
    await sweep(undefined, refusing)
    await ageDatabase(database.database, 31)
    await sweep()
    expect(await left(keys), 'the second wait takes a minute').to.deep.equal(denied)
    await ageDatabase(database.database, 30)
    await sweep()
    expect(await left(keys)).to.deep.equal([])
    expect(backlog).to.deep.equal({ due: 0, failing: 0, oldestSeconds: 0 })
  })

  it('completes the sweep after a crash at any of its effects', async () => {
    const names = [
      'sweep.uploads_expired',
      'sweep.files_expired',
      'sweep.uploads_aborted',
      'sweep.objects_deleted',
      'sweep.recorded',
    ]
    for (const name of names) {
      for (const when of ['before', 'after']) {
        const { fileId, key, uploadId } = await upload()
        await store.recordUploadId({ fileId, uploadId, sessionSeconds: 60 })
        await ageDatabase(database.database, 61)
        let isDead = false
        const crash: Failpoint = async (point, effect) => {
          isDead ||= point === name && when === 'before'
          if (isDead) throw new Error('crash')
          const result = await effect()
          isDead ||= point === name
          if (isDead) throw new Error('crash')
          return result
        }
        await sweep(crash).catch(() => undefined)
        await sweep()
        expect(await objects.listParts(key, uploadId), `${name} ${when}`).to.equal(null)
        expect(await store.findSweepableFiles({ limit: 10 })).to.deep.equal([])
      }
    }
  })
})
