import { claim } from '../../testing/support/api/outcomes.ts'
import { unknownId } from '../../testing/support/api/app.ts'
import { expect } from 'chai'
import { failed as failure, commitOf, newFile } from '../../testing/store-contract/fixtures.ts'
import { field, idOf, fieldsOf, refusalOf } from '../checked-call.fixture.ts'
import {
  abort,
  begin,
  complete,
  uploaded,
  storeOutputs,
  startCommand,
  useFilesApp,
  foreignKey,
  fileToStore,
} from '../../testing/support/api/files.ts'

const noFiles = /^404,Command files not found: ./

describe('deleting files', () => {
  const app = useFilesApp()

  const get = (fileId: string, query = '') => app.call(`/v1/files/${fileId}${query}`)
  const remove = (fileId: string) => app.remove(`/v1/files/${fileId}`)
  const removeOutputs = (commandId: string, key = app.key) =>
    app.call(`/v1/commands/${commandId}/files`, { method: 'DELETE', key })
  const bulk = (file_ids: unknown) => app.post('/v1/files/bulk-delete', { file_ids })
  const isDeleted = async (fileId: string) => field((await get(fileId)).body, 'is_deleted')
  /** A file to store whose runner has begun. */
  async function claimedFile(): Promise<string> {
    const fileId = await fileToStore(app)
    await claim(app, fileId)
    return fileId
  }
  const commitStored = (fileId: string) =>
    app.store.commitOutcome(
      commitOf(fileId, `pod-${fileId}`, { status: 'SUCCESS', files: [newFile(fileId)] }),
    )

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
      const fileId = await claimedFile()
      expect((await remove(fileId)).status).to.equal(204)
      const row = await app.store.findForReconcile(fileId)
      expect(row?.cancelRequested).to.equal(true)
      await commitStored(fileId)
      expect((await get(fileId)).body).to.include({
        is_deleted: true,
        status: 'FAILED',
        error_status: 'CANCELLED',
        storage_url: null,
        external_error_message: 'Deleted by request',
      })
    })

    it('a deletion has the same result before and after the commit', async () => {
      for (let round = 0; round < 10; round += 1) {
        const fileId = await claimedFile()
        const [answer] = await Promise.all([remove(fileId), commitStored(fileId)])
        expect(answer.status).to.equal(204)
        expect((await get(fileId)).body).to.include({ is_deleted: true, storage_url: null })
      }
    })
  })

  describe('DELETE /v1/commands/{command_id}/files', () => {
    it('deletes everything that the command stored; its record shows it', async () => {
      const { commandId } = await storeOutputs(app)
      expect((await removeOutputs(commandId)).status).to.equal(204)
      const { output_files: outputs } = await app.record(`/v1/commands/${commandId}`)
      const files = Object.values(fieldsOf(outputs))
      expect(files.map((file) => field(file, 'is_deleted'))).to.deep.equal([true, true, true])
      expect(files.map((file) => field(file, 'storage_url'))).to.deep.equal([null, null, null])
      expect(refusalOf(await removeOutputs(commandId)).join()).to.match(noFiles)
    })

    it('answers 404 for unknown, foreign, unfinished and failed commands', async () => {
      const { commandId } = await storeOutputs(app)
      const unfinished = await startCommand(app)
      const failed = await startCommand(app)
      await app.store.commitOutcome(commitOf(failed, `pod-${failed}`, failure('FFMPEG_FAILED')))
      for (const answer of [
        await removeOutputs(unknownId),
        await removeOutputs('no-uuid'),
        await removeOutputs(commandId, foreignKey),
        await removeOutputs(unfinished),
        await removeOutputs(failed),
      ]) {
        expect(refusalOf(answer).join()).to.match(noFiles)
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
      const rows = await app.query<{ id: string }>(
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
      const key = foreignKey
      const sent = { file_url: 'https://a.example/b' }
      const foreign = idOf(await app.post('/v1/files/store-file', sent, { key }), 'file_id')
      await remove(zip)
      const detail = `Output manifest files cannot be deleted in bulk: ${manifest}`
      expect(refusalOf(await bulk([one, manifest]))).to.deep.equal([400, detail])
      for (const wrong of [unknownId, foreign, zip]) {
        const answer = await bulk([one, wrong, manifest])
        expect(refusalOf(answer)).to.deep.equal([404, `Files not found: ${wrong}`])
      }
      expect([await isDeleted(one), await isDeleted(manifest)]).to.deep.equal([false, false])
    })

    it('accepts 1 to 1,000 UUIDs', async () => {
      for (const [ids, mistake] of [
        [[], 'body.file_ids too_short'],
        ['x', 'body.file_ids list_type'],
        [[unknownId, 'x'], 'body.file_ids.1 uuid_parsing'],
        [undefined, 'body.file_ids missing'],
      ] as const) {
        expect(refusalOf(await bulk(ids))).to.deep.equal([422, mistake])
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
