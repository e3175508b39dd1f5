import { expect } from 'chai'
import { submission } from '../app.fixture.ts'
import { checkedCall, field, placesOf } from '../checked-call.fixture.ts'
import { fail, start, succeed } from '../commands/outcomes.fixture.ts'
import {
  abort,
  begin,
  complete,
  startCommand,
  startFilesApp,
  storeOutputs,
  uploaded,
} from '../files/files.fixture.ts'
import { commitOf, failed, newFile } from '../../common/database/contract/fixtures.ts'
import { chain } from './the-calls.fixture.ts'
import type { FilesApp } from '../files/files.fixture.ts'

/** Keys that clients bind to, in the order of the documentation. */
const fileKeys = [
  ...['file_id', 'environment_name', 'storage_url', 'status', 'service_store_type', 'error_status'],
  ...['external_error_message', 'is_deleted', 'size_mbytes', 'file_count'],
  ...['size_compressed_mbytes', 'is_private', 'original_file_url', 'duration', 'file_type'],
  ...['file_format', 'width', 'height', 'codec', 'timebase', 'pixel_format', 'mime_type'],
  ...['frame_rate', 'bitrate_video_kb', 'bitrate_audio_kb', 'video_profile_level'],
  ...['is_varying_frame_rate', 'created_at', 'command_id', 'expires_at'],
]
const probed = [
  ...['duration', 'width', 'height', 'codec', 'timebase', 'pixel_format', 'mime_type'],
  ...['frame_rate', 'bitrate_video_kb', 'bitrate_audio_kb', 'video_profile_level'],
  'is_varying_frame_rate',
]
const commandKeys = [
  ...['command_id', 'environment_name', 'status', 'processing_stage', 'command_type'],
  ...['error_status', 'error_message', 'total_processing_seconds', 'ffmpeg_command_run_seconds'],
  ...['vcpu_count', 'output_files', 'original_request', 'processing_quota_used', 'metadata'],
  ...['created_at', 'started_at', 'finished_at', 'progress_percent', 'queue_position', 'attempts'],
  ...['max_command_run_seconds', 'steps'],
]
const listedCommandKeys = [
  ...['command_id', 'environment_name', 'status', 'error_status', 'error_message', 'created_at'],
  ...['storage_quota_used', 'processing_quota_used', 'output_file_count', 'command_type'],
  ...['finished_at', 'metadata'],
]
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

describe('records', function () {
  this.timeout(60_000)
  let app: FilesApp
  before(async function () {
    this.timeout(600_000)
    app = await startFilesApp()
    await app.addAccount('stranger', 'pro', 'key-of-stranger')
  })
  after(() => app.close())

  const submit = async (body: object = submission, path = '/v1/run-ffmpeg-command') =>
    String(field((await app.post(path, body)).body, 'command_id'))
  const command = async (id: string, query = '') =>
    Object((await app.call(`/v1/commands/${id}${query}`)).body)
  const file = async (id: string, query = '') =>
    Object((await app.call(`/v1/files/${id}${query}`)).body)
  const listed = async (path: string, name: string, id: string) => {
    const { body } = await app.call(path)
    const items: unknown[] = Array.isArray(body) ? body : expect.fail('no bare array')
    return items.find((item) => field(item, name) === id)
  }
  const removeOutputs = (id: string) => app.call(`/v1/commands/${id}/files`, { method: 'DELETE' })

  describe('of commands', () => {
    it('have all keys while they wait', async () => {
      const id = await submit({ ...submission, metadata: undefined })
      const record = await command(id)
      expect(record).to.have.all.keys(commandKeys)
      expect(record).to.include({
        ...{ status: 'QUEUED', processing_stage: null, command_type: 'FFMPEG_COMMAND' },
        ...{ environment_name: null, error_status: null, error_message: null, metadata: null },
        ...{ total_processing_seconds: null, ffmpeg_command_run_seconds: null, vcpu_count: 8 },
        ...{ output_files: null, processing_quota_used: null, started_at: null, attempts: 0 },
        ...{ finished_at: null, progress_percent: null, max_command_run_seconds: 300 },
      })
      expect(field(record, 'created_at')).to.match(time)
      expect(field(record, 'queue_position')).to.be.at.least(1)
      expect(await listed('/v1/commands', 'command_id', id)).to.include({
        ...{ storage_quota_used: null, processing_quota_used: null, output_file_count: null },
      })
    })

    it('have all keys while they run', async () => {
      const id = await submit()
      await start(app, id)
      const record = await command(id)
      expect(record).to.have.all.keys(commandKeys)
      expect(record).to.include({
        ...{ status: 'PROCESSING', processing_stage: 'FFMPEG_PROCESSING', queue_position: null },
        ...{ progress_percent: 42, output_files: null, finished_at: null, attempts: 1 },
        ...{ total_processing_seconds: null, processing_quota_used: null },
      })
      expect(field(record, 'started_at')).to.match(time)
    })

    it('have all keys once they succeeded, and count from acceptance to the end', async () => {
      const id = await submit()
      await succeed(app, id)
      const record = await command(id)
      expect(record).to.have.all.keys(commandKeys)
      expect(record).to.include({
        ...{ status: 'SUCCESS', processing_stage: null, progress_percent: 100 },
        ...{ error_status: null, error_message: null, processing_quota_used: 3 },
        ...{ ffmpeg_command_run_seconds: 1.5, queue_position: null },
      })
      expect(Object.keys(Object(field(record, 'output_files')))).to.deep.equal(['out_1'])
      expect(field(field(record, 'output_files'), 'out_1')).to.have.all.keys(fileKeys)
      const seconds = ['finished_at', 'created_at'].map((name) =>
        Date.parse(String(field(record, name))),
      )
      expect(field(record, 'total_processing_seconds')).to.be.closeTo(
        ((seconds[0] ?? 0) - (seconds[1] ?? 0)) / 1_000,
        0.002,
      )
      const item = await listed('/v1/commands', 'command_id', id)
      expect(item).to.have.all.keys(listedCommandKeys)
      expect(item).to.deep.include({
        ...{ storage_quota_used: 1, processing_quota_used: 3, output_file_count: 1 },
        ...{ metadata: { order: 17 }, command_type: 'FFMPEG_COMMAND', status: 'SUCCESS' },
      })
    })

    it('have all keys once they failed', async () => {
      const id = await submit()
      await fail(app, id)
      const record = await command(id)
      expect(record).to.have.all.keys(commandKeys)
      expect(record).to.include({
        ...{ status: 'FAILED', error_status: 'CANCELLED', error_message: 'Cancelled by request' },
        ...{ processing_stage: null, output_files: null, processing_quota_used: 0 },
        ...{ ffmpeg_command_run_seconds: null, attempts: 0, queue_position: null },
      })
      expect(await listed('/v1/commands', 'command_id', id)).to.include({
        ...{ storage_quota_used: 0, processing_quota_used: 0, output_file_count: 0 },
      })
    })

    it('of a chain have a step for each command, and none of its outputs where one fails', async () => {
      const id = await submit(chain, '/v1/run-chained-ffmpeg-commands')
      expect(await command(id)).to.deep.include({
        command_type: 'FFMPEG_CHAINED_COMMANDS',
        steps: [0, 1].map((index) => ({
          ...{ index, status: 'QUEUED', progress_percent: null },
          ...{ ffmpeg_command_run_seconds: null, exit_code: null },
        })),
      })
      const attempt = await start(app, id)
      const steps = (['FAILED', 'SKIPPED'] as const).map((status, index) => ({
        ...{ index, status, progress_percent: null, ffmpeg_command_run_seconds: null },
        exit_code: status === 'FAILED' ? 234 : null,
      }))
      const commit = { ...commitOf(id, attempt, failed('INVALID_COMMAND')), steps }
      await app.store.commitOutcome(commit)
      expect(await command(id)).to.deep.include({ status: 'FAILED', output_files: null, steps })
    })

    it('keep their deleted outputs, without URLs, and store nothing any more', async () => {
      const { commandId } = await storeOutputs(app)
      const before = await command(commandId)
      const outputs = Object(field(before, 'output_files'))
      expect(outputs).to.have.all.keys('out_1', 'out_playlist_1', 'OUTPUT_FOLDER')
      expect(field(outputs, 'OUTPUT_FOLDER')).to.include({
        ...{ file_type: 'zip', service_store_type: 'OUTPUT', is_deleted: false, status: 'STORED' },
      })
      expect(field(outputs, 'out_playlist_1')).to.include({
        ...{ file_type: 'output_manifest', file_format: 'm3u8', file_count: 3 },
      })
      expect((await removeOutputs(commandId)).status).to.equal(204)
      for (const output of Object.values<unknown>(
        Object(field(await command(commandId), 'output_files')),
      )) {
        expect(output).to.have.all.keys(fileKeys)
        expect(output).to.include({ is_deleted: true, storage_url: null, status: 'STORED' })
      }
      expect(await listed('/v1/commands', 'command_id', commandId)).to.include({
        ...{ storage_quota_used: 0, output_file_count: 3 },
      })
    })
  })

  describe('of files', () => {
    it('of a stored file have all keys from the beginning', async () => {
      const file_url = 'https://media.example/clip.mov?signature=1'
      const { body } = await app.post('/v1/files/store-file', { file_url, is_private: true })
      expect(Object.keys(Object(body))).to.deep.equal(['file_id'])
      const id = String(field(body, 'file_id'))
      const record = await file(id)
      expect(record).to.have.all.keys(fileKeys)
      const { created_at: createdAt, ...rest } = record
      expect(createdAt).to.match(time)
      expect(rest).to.deep.equal({
        ...Object.fromEntries(fileKeys.slice(0, -3).map((key) => [key, null])),
        ...{ file_id: id, status: 'QUEUED', service_store_type: 'STORED_FILE', is_deleted: false },
        ...{ is_private: true, original_file_url: file_url, command_id: null, expires_at: null },
      })
      const item = await listed('/v1/files', 'file_id', id)
      expect(item).to.have.all.keys(fileKeys.filter((key) => !probed.includes(key)))
    })

    it('of an upload have all keys from session to abort', async () => {
      const { body } = await app.post('/v1/files/init-upload', {
        ...{
          filename: 'clip.mp4',
          size_bytes: 31_457_280,
          part_size: 4_194_304,
          is_private: false,
        },
      })
      expect(body).to.have.all.keys('file_id', 'part_size', 'upload_urls', 'expires_at')
      expect(field(body, 'expires_at')).to.match(time)
      expect(field(body, 'upload_urls')).to.have.length(6)
      const id = String(field(body, 'file_id'))
      expect(await file(id)).to.include({ status: 'QUEUED', original_file_url: 'clip.mp4' })
      const aborted = await abort(app, id)
      expect(aborted.body).to.have.all.keys(fileKeys)
      expect(aborted.body).to.include({
        ...{ status: 'FAILED', error_status: 'CANCELLED', size_mbytes: null, storage_url: null },
        external_error_message: 'Upload aborted by request',
      })
    })

    it('of a complete upload are usable at once', async () => {
      const { fileId, parts } = await uploaded(app)
      const { body } = await complete(app, fileId, parts.toReversed())
      expect(body).to.have.all.keys(fileKeys)
      expect(body).to.include({ status: 'UPLOADED', error_status: null, duration: null })
      expect(field(body, 'storage_url')).to.match(/\/clip\.mp4$/)
      expect((await fetch(String(field(body, 'storage_url')))).status).to.equal(200)
      expect(await listed('/v1/files', 'file_id', fileId)).to.include({ status: 'UPLOADED' })
    })

    it('of outputs name their command, and appear with its success alone', async () => {
      const running = await startCommand(app)
      const [before, { one, commandId }] = [await app.call('/v1/files'), await storeOutputs(app)]
      expect(JSON.stringify(before.body)).not.to.contain(running)
      const record = await file(one)
      expect(record).to.have.all.keys(fileKeys)
      expect(record).to.include({
        ...{ command_id: commandId, service_store_type: 'OUTPUT', status: 'STORED' },
        ...{ original_file_url: null, duration: 1.5, codec: 'h264', is_deleted: false },
      })
      expect(field(record, 'storage_url')).to.match(/\/small\.mp4$/)
    })

    it('keep what was probed after deletion', async () => {
      const { one } = await storeOutputs(app)
      const before = await file(one)
      expect((await app.call(`/v1/files/${one}`, { method: 'DELETE' })).status).to.equal(204)
      expect(await file(one)).to.deep.equal({ ...before, is_deleted: true, storage_url: null })
      expect(await listed('/v1/files', 'file_id', one)).to.equal(undefined)
    })

    it('are no uploads to complete or to abort where they are none', async () => {
      const { one, manifest } = await storeOutputs(app)
      const { body } = await app.post('/v1/files/store-file', { file_url: 'https://a.example/b' })
      const detail = 'File is not in an upload-in-progress state'
      const parts = [{ part_number: 1, etag: 'x' }]
      for (const id of [one, manifest, String(field(body, 'file_id'))]) {
        for (const answer of [await complete(app, id, parts), await abort(app, id)]) {
          expect([answer.status, answer.body]).to.deep.equal([400, { detail }])
        }
      }
    })

    it('have a whole playlist in one', async () => {
      const { manifest } = await storeOutputs(app)
      expect((await app.call(`/v1/files/${manifest}`, { method: 'DELETE' })).status).to.equal(204)
      expect(await file(manifest)).to.include({ is_deleted: true, storage_url: null })
    })

    it('may have bare presigning times', async () => {
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

    it('open for their time, by a presigned URL alone', async () => {
      const { fileId, parts } = await uploaded(app, { is_private: true })
      const { body } = await complete(app, fileId, parts)
      expect((await fetch(String(field(body, 'storage_url')))).status).to.equal(403)
      const { accountId } = app.account
      await app.store.markDispatched(fileId, fileId)
      await app.store.admit({ accountId, vcpuLimit: null, passSeconds: 300, liveJobLimit: 1_000 })
      await app.store.claimAttempt({ commandId: fileId, round: 1, podUid: fileId })
      const outcome = {
        status: 'SUCCESS' as const,
        files: [storedAgain(String(field(body, 'storage_url')), fileId)],
      }
      const committed = await app.store.commitOutcome(commitOf(fileId, fileId, outcome))
      expect(committed).to.deep.equal({ kind: 'committed' })
      expect(await file(fileId)).to.include({ status: 'STORED', codec: 'h264' })
      const signed = await file(fileId, '?presigned_ttl_seconds=60')
      expect((await fetch(String(field(signed, 'storage_url')))).status).to.equal(200)
      const plain = await file(fileId)
      expect((await fetch(String(field(plain, 'storage_url')))).status).to.equal(403)
    })
  })

  it('of others do not exist', async () => {
    const { commandId, one } = await storeOutputs(app)
    const { fileId } = await begin(app)
    const parts = [{ part_number: 1, etag: 'x' }]
    const key = 'key-of-stranger'
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
      expect((await checkedCall(app.url, path, { key })).body, path).to.deep.equal([])
    }
  })

  for (const path of ['/v1/commands', '/v1/files']) {
    for (const [query, place] of [
      ['limit=0', 'query.limit greater_than_equal'],
      ['limit=1001', 'query.limit less_than_equal'],
      ['limit=x', 'query.limit int_parsing'],
      ['limit=', 'query.limit int_parsing'],
      ['limit=1.5', 'query.limit int_parsing'],
      ['offset=-1', 'query.offset greater_than_equal'],
      ['status=DONE', 'query.status enum'],
    ] as const) {
      it(`of ${path} are not listed by ${query}`, async () => {
        const answer = await app.call(`${path}?${query}`)
        expect([answer.status, ...placesOf(answer)]).to.deep.equal([422, place])
      })
    }
    for (const query of [
      'limit=1',
      'limit=1000',
      'offset=1000000000',
      'limit=2.0&environment_name=x',
    ]) {
      it(`of ${path} are listed by ${query}`, async () => {
        const answer = await app.call(`${path}?${query}`)
        expect(answer.status).to.equal(200)
        expect(answer.body).to.be.an('array')
      })
    }
  }
})

/** What the runner reports of an upload: the object that is there. */
function storedAgain(url: string, fileId: string) {
  const key = url.slice(url.indexOf('private/'))
  return { ...newFile(fileId), fileId, key, sizeBytes: 5_243_880 }
}
