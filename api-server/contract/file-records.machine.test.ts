import { expect } from 'chai'
import { claim } from '../../testing/support/api/outcomes.ts'
import { checkedCall, field, fieldsOf, placesOf, refusalOf } from '../checked-call.fixture.ts'
import {
  abort,
  begin,
  complete,
  startCommand,
  storeOutputs,
  uploaded,
  useFilesApp,
  foreignKey,
  fileToStore,
  notOpen,
} from '../../testing/support/api/files.ts'
import { commitOf, newFile } from '../../testing/store-contract/fixtures.ts'
import { fileKeys, listedFileKeys, time } from './record-keys.fixture.ts'

describe('the record of a file', () => {
  const app = useFilesApp()

  const file = async (id: string, query = '') => app.record(`/v1/files/${id}${query}`)
  const listed = async (id: string) =>
    (await app.list('/v1/files')).find((item) => item['file_id'] === id)

  it('a stored file has all keys of its record from the beginning', async () => {
    const file_url = 'https://media.example/clip.mov?signature=1'
    const { body } = await app.post('/v1/files/store-file', { file_url, is_private: true })
    expect(Object.keys(fieldsOf(body))).to.deep.equal(['file_id'])
    const id = String(field(body, 'file_id'))
    const record = await file(id)
    expect(record).to.have.all.keys(fileKeys)
    expect(field(record, 'created_at')).to.match(time)
    expect(record).to.deep.equal({
      ...Object.fromEntries(fileKeys.map((key) => [key, null])),
      file_id: id,
      created_at: field(record, 'created_at'),
      status: 'QUEUED',
      service_store_type: 'STORED_FILE',
      is_deleted: false,
      is_private: true,
      original_file_url: file_url,
    })
    const item = await listed(id)
    expect(item).to.have.all.keys(listedFileKeys)
  })

  it('an upload has all keys of its record from session to abort', async () => {
    const sizes = { size_bytes: 31_457_280, part_size: 4_194_304 }
    const sent = { filename: 'clip.mp4', ...sizes, is_private: false }
    const { body } = await app.post('/v1/files/init-upload', sent)
    expect(body).to.have.all.keys('file_id', 'part_size', 'upload_urls', 'expires_at')
    expect(field(body, 'expires_at')).to.match(time)
    expect(field(body, 'upload_urls')).to.have.length(6)
    const id = String(field(body, 'file_id'))
    expect(await file(id)).to.include({ status: 'QUEUED', original_file_url: 'clip.mp4' })
    const aborted = await abort(app, id)
    expect(aborted.body).to.have.all.keys(fileKeys)
    expect(aborted.body).to.include({
      status: 'FAILED',
      error_status: 'CANCELLED',
      size_mbytes: null,
      storage_url: null,
      external_error_message: 'Upload aborted by request',
    })
  })

  it('a file is usable at once after a complete upload', async () => {
    const { fileId, parts } = await uploaded(app)
    const { body } = await complete(app, fileId, parts.toReversed())
    expect(body).to.have.all.keys(fileKeys)
    expect(body).to.include({ status: 'UPLOADED', error_status: null, duration: null })
    expect(field(body, 'storage_url')).to.match(/\/clip\.mp4$/)
    expect(await listed(fileId)).to.include({ status: 'UPLOADED' })
  })

  it('names the command of an output, and exists only after its success', async () => {
    const running = await startCommand(app)
    const [before, { one, commandId }] = [await app.call('/v1/files'), await storeOutputs(app)]
    expect(JSON.stringify(before.body)).not.to.contain(running)
    const record = await file(one)
    expect(record).to.have.all.keys(fileKeys)
    expect(record).to.include({
      command_id: commandId,
      service_store_type: 'OUTPUT',
      status: 'STORED',
      original_file_url: null,
      duration: 1.5,
      codec: 'h264',
      is_deleted: false,
    })
    expect(field(record, 'storage_url')).to.match(/\/small\.mp4$/)
  })

  it('keeps the media fields after deletion', async () => {
    const { one } = await storeOutputs(app)
    const before = await file(one)
    expect((await app.remove(`/v1/files/${one}`)).status).to.equal(204)
    expect(await file(one)).to.deep.equal({ ...before, is_deleted: true, storage_url: null })
    expect(await listed(one)).to.equal(undefined)
  })

  it('answers 400 to complete and abort if it is not an upload', async () => {
    const { one, manifest } = await storeOutputs(app)
    const parts = [{ part_number: 1, etag: 'x' }]
    for (const id of [one, manifest, await fileToStore(app)]) {
      for (const answer of [await complete(app, id, parts), await abort(app, id)]) {
        expect(refusalOf(answer).join()).to.match(notOpen)
      }
    }
  })

  it('the record of a file stands for a whole playlist', async () => {
    const { manifest } = await storeOutputs(app)
    expect((await app.remove(`/v1/files/${manifest}`)).status).to.equal(204)
    expect(await file(manifest)).to.include({ is_deleted: true, storage_url: null })
  })

  it('requires a presigned_ttl_seconds from 1 to 604,800, or an empty one', async () => {
    const { one } = await storeOutputs(app, true)
    for (const [query, places] of [
      ['presigned_ttl_seconds=0', ['query.presigned_ttl_seconds greater_than_equal']],
      ['presigned_ttl_seconds=-1', ['query.presigned_ttl_seconds greater_than_equal']],
      ['presigned_ttl_seconds=604801', ['query.presigned_ttl_seconds less_than_equal']],
      ['presigned_ttl_seconds=x', ['query.presigned_ttl_seconds int_parsing']],
      ['presigned_ttl_seconds=', []],
      ['presigned_ttl_seconds=604800', []],
    ] as const) {
      const answer = await app.call(`/v1/files/${one}?${query}`)
      expect(placesOf(answer), query).to.deep.equal(places)
    }
  })

  it('opens a private file only by a presigned URL, until it expires', async () => {
    const { fileId, parts } = await uploaded(app, { is_private: true })
    const { body } = await complete(app, fileId, parts)
    expect((await fetch(String(field(body, 'storage_url')))).status).to.equal(403)
    const { podUid } = await claim(app, fileId)
    const files = [storedAgain(String(field(body, 'storage_url')), fileId)]
    const commit = commitOf(fileId, podUid, { status: 'SUCCESS', files })
    const committed = await app.store.commitOutcome(commit)
    expect(committed).to.deep.equal({ kind: 'committed' })
    expect(await file(fileId)).to.include({ status: 'STORED', codec: 'h264' })
    const signed = await file(fileId, '?presigned_ttl_seconds=60')
    expect((await fetch(String(field(signed, 'storage_url')))).status).to.equal(200)
    const plain = await file(fileId)
    expect((await fetch(String(field(plain, 'storage_url')))).status).to.equal(403)
  })

  it('answers 404 for files of other accounts', async () => {
    const { commandId, one } = await storeOutputs(app)
    const { fileId } = await begin(app)
    const parts = [{ part_number: 1, etag: 'x' }]
    const key = foreignKey
    for (const [method, path, body] of [
      ['GET', `/v1/commands/${commandId}`],
      ['POST', `/v1/commands/${commandId}/cancel`],
      ['GET', `/v1/commands/${commandId}/logs`],
      ['GET', `/v1/commands/${commandId}/events`],
      ['DELETE', `/v1/commands/${commandId}/files`],
      ['GET', `/v1/files/${one}`],
      ['DELETE', `/v1/files/${one}`],
      ['POST', `/v1/files/${fileId}/complete-upload`, { parts }],
      ['POST', `/v1/files/${fileId}/abort-upload`],
      ['POST', '/v1/files/bulk-delete', { file_ids: [one] }],
    ] as const) {
      const sent = { method, key, ...(body === undefined ? {} : { body }) }
      expect((await checkedCall(app.url, path, sent)).status, path).to.equal(404)
    }
    for (const path of ['/v1/commands', '/v1/files', '/v1/webhook/deliveries']) {
      expect((await app.call(path, { key })).body, path).to.deep.equal([])
    }
  })
})

/** The runner's report of an upload: its existing object. */
function storedAgain(url: string, fileId: string) {
  const key = url.slice(url.indexOf('private/'))
  return { ...newFile(fileId), fileId, key, sizeBytes: 5_243_880 }
}
