import { unknownId } from '../app.fixture.ts'
import { expect } from 'chai'
import { commitOf, newFile } from '../../testing/store-contract/fixtures.ts'
import { field, placesOf } from '../checked-call.fixture.ts'
import {
  abort,
  begin,
  complete,
  startFilesApp,
  uploaded,
  storeOutputs,
  startCommand,
} from './files.fixture.ts'
import type { FilesApp } from './files.fixture.ts'
import { admitWaiting } from '../../testing/support/admit-waiting.ts'

describe('deleting files', function () {
  this.timeout(60_000)
  let app: FilesApp
  before(async function () {
    this.timeout(600_000)
    app = await startFilesApp()
    await app.addAccount('foreign', 'pro', 'key-of-foreign')
  })
  after(() => app.close())

  const get = (fileId: string, query = '') => app.call(`/v1/files/${fileId}${query}`)
  const remove = (fileId: string) => app.call(`/v1/files/${fileId}`, { method: 'DELETE' })
  const removeOutputs = (commandId: string, key = app.key) =>
    app.call(`/v1/commands/${commandId}/files`, { method: 'DELETE', key })
  const bulk = (file_ids: unknown, key = app.key) =>
    app.post('/v1/files/bulk-delete', { file_ids }, { key })
  const isDeleted = async (fileId: string) => field((await get(fileId)).body, 'is_deleted')

  async function store(body: object = {}): Promise<string> {
    const file_url = 'https://media.example/clip.mov'
    const answer = await app.post('/v1/files/store-file', { file_url, ...body })
    expect(answer.status).to.equal(200)
    return String(field(answer.body, 'file_id'))
  }

  describe('DELETE /v1/files/{file_id}', () => {
    it('deletes outputs, playlists, zips, stored and failed files, once', async () => {
      const { one, manifest, zip } = await storeOutputs(app)
      const failed = (await begin(app)).fileId
      await abort(app, failed)
      const stored = await uploaded(app)
      await complete(app, stored.fileId, stored.parts)
      for (const fileId of [one, manifest, zip, failed, stored.fileId]) {
        const before = (await get(fileId)).body
        const answer = await remove(fileId.toUpperCase())
        expect(answer.status).to.equal(204)
        expect(answer.body).to.equal(undefined)
        const { body } = await get(fileId)
        expect(body).to.include({ is_deleted: true, storage_url: null })
        expect(field(body, 'size_mbytes')).to.equal(field(before, 'size_mbytes'))
        expect((await remove(fileId)).status).to.equal(404)
      }
    })

    it('cancels the work on an unfinished file, which a late commit does not restore', async () => {
      const fileId = await store()
      const { accountId } = app.account
      await app.store.markDispatched(fileId, fileId)
      await admitWaiting(app.store, accountId)
      const claim = await app.store.claimAttempt({ commandId: fileId, round: 1, podUid: fileId })
      expect(claim.kind).to.equal('assigned')
      expect((await remove(fileId)).status).to.equal(204)
      const row = await app.store.findForReconcile(fileId)
      expect(row?.cancelRequested).to.equal(true)
      const outcome = { status: 'SUCCESS' as const, files: [newFile(fileId)] }
      await app.store.commitOutcome(commitOf(fileId, fileId, outcome))
      expect((await get(fileId)).body).to.include({
        ...{ is_deleted: true, status: 'FAILED', error_status: 'CANCELLED', storage_url: null },
        external_error_message: 'Deleted by request',
      })
    })

    it('has the same result in both orders of deletion and commit', async () => {
      for (let round = 0; round < 10; round += 1) {
        const fileId = await store()
        const { accountId } = app.account
        await app.store.markDispatched(fileId, fileId)
        await admitWaiting(app.store, accountId)
        await app.store.claimAttempt({ commandId: fileId, round: 1, podUid: fileId })
        const outcome = { status: 'SUCCESS' as const, files: [newFile(fileId)] }
        const [answer] = await Promise.all([
          remove(fileId),
          app.store.commitOutcome(commitOf(fileId, fileId, outcome)),
        ])
        expect(answer.status).to.equal(204)
        expect((await get(fileId)).body).to.include({ is_deleted: true, storage_url: null })
      }
    })
  })

  describe('DELETE /v1/commands/{command_id}/files', () => {
    it('deletes everything that the command stored; its record shows it', async () => {
      const { commandId } = await storeOutputs(app)
      expect((await removeOutputs(commandId)).status).to.equal(204)
      const { body } = await app.call(`/v1/commands/${commandId}`)
      const files = Object.values<unknown>({ ...(field(body, 'output_files') as object) })
      expect(files.map((file) => field(file, 'is_deleted'))).to.deep.equal([true, true, true])
      expect(files.map((file) => field(file, 'storage_url'))).to.deep.equal([null, null, null])
      const again = await removeOutputs(commandId)
      expect([again.status, again.body]).to.deep.equal([404, { detail: 'Command files not found' }])
    })

    it('answers 404 for unknown, foreign, unfinished and failed commands', async () => {
      const { commandId } = await storeOutputs(app)
      const unfinished = await startCommand(app)
      const failed = await startCommand(app)
      await app.store.commitOutcome(
        commitOf(failed, `pod-${failed}`, {
          ...{ status: 'FAILED', errorStatus: 'FFMPEG_FAILED', errorMessage: 'x' },
        }),
      )
      for (const answer of [
        await removeOutputs(unknownId),
        await removeOutputs('no-uuid'),
        await removeOutputs(commandId, 'key-of-foreign'),
        await removeOutputs(unfinished),
        await removeOutputs(failed),
      ]) {
        expect(answer.status).to.equal(404)
        expect(answer.body).to.deep.equal({ detail: 'Command files not found' })
      }
    })
  })

  describe('POST /v1/files/bulk-delete', () => {
    it('deletes all, each once, and answers in the order of the request', async () => {
      const { one, zip } = await storeOutputs(app)
      const open = (await begin(app)).fileId
      const answer = await bulk([zip, one.toUpperCase(), zip, open])
      expect(answer.status).to.equal(200)
      expect(answer.body).to.deep.equal({ deleted_file_ids: [zip, one, open] })
      for (const fileId of [zip, one, open]) expect(await isDeleted(fileId)).to.equal(true)
      const { fileId } = await begin(app)
      const alone = await bulk([fileId])
      expect(alone.body).to.deep.equal({ deleted_file_ids: [fileId] })
    })

    it('deletes a thousand at once', async () => {
      const command = await storeOutputs(app)
      const rows = await app.database.database.query<{ id: string }>(
        'many_files',
        `insert into files (file_id, account_id, is_private, store_type, status, original_file_url)
         select gen_random_uuid(), account_id, false, 'STORED_FILE', 'QUEUED', 'x'
         from files, generate_series(1, 1000) where file_id = $1 returning file_id as id`,
        [command.one],
      )
      const ids = rows.map(({ id }) => id)
      expect((await bulk([...ids, ids[0]])).status).to.equal(422)
      expect((await bulk(ids)).body).to.deep.equal({ deleted_file_ids: ids })
    })

    it('deletes nothing with a manifest, or with an unknown, foreign or deleted id, among them', async () => {
      const { one, manifest, zip } = await storeOutputs(app)
      const key = 'key-of-foreign'
      const foreign = String(
        field(
          (await app.post('/v1/files/store-file', { file_url: 'https://a.example/b' }, { key }))
            .body,
          'file_id',
        ),
      )
      await remove(zip)
      const refused = await bulk([one, manifest])
      expect([refused.status, refused.body]).to.deep.equal([
        400,
        { detail: `Output manifest files cannot be deleted in bulk: ${manifest}` },
      ])
      for (const wrong of [unknownId, foreign, zip]) {
        const answer = await bulk([one, wrong, manifest])
        expect(answer.status).to.equal(404)
        expect(answer.body).to.deep.equal({ detail: `Files not found: ${wrong}` })
      }
      expect([await isDeleted(one), await isDeleted(manifest)]).to.deep.equal([false, false])
    })

    it('accepts 1 to 1,000 UUIDs', async () => {
      for (const [ids, places] of [
        [[], ['body.file_ids too_short']],
        ['x', ['body.file_ids list_type']],
        [[unknownId, 'x'], ['body.file_ids.1 uuid_parsing']],
        [undefined, ['body.file_ids missing']],
      ] as const) {
        expect(placesOf(await bulk(ids))).to.deep.equal(places)
      }
    })

    it('deletes each file once in concurrent deletions of the same files', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { commandId, one, zip } = await storeOutputs(app)
        const answers = await Promise.all([
          bulk([one, zip]),
          bulk([zip, one]),
          remove(one),
          removeOutputs(commandId),
        ])
        for (const { status } of answers) expect([200, 204, 404]).to.include(status)
        expect([await isDeleted(one), await isDeleted(zip)]).to.deep.equal([true, true])
      }
    })
  })
})
