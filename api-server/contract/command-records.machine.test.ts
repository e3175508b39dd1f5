import { expect } from 'chai'
import { chainPath } from '../../testing/support/api/app.ts'
import { field, fieldsOf, idOf } from '../checked-call.fixture.ts'
import { fail, start, succeed } from '../../testing/support/api/outcomes.ts'
import { storeOutputs, useFilesApp } from '../../testing/support/api/files.ts'
import { failed, commitOf } from '../../testing/store-contract/fixtures.ts'
import { commandKeys, fileKeys, listedCommandKeys, time } from './record-keys.fixture.ts'
import { chain } from './the-calls.fixture.ts'

describe('the record of a command', () => {
  const app = useFilesApp()

  const command = async (id: string, query = '') => app.record(`/v1/commands/${id}${query}`)
  const listed = async (id: string) =>
    (await app.list('/v1/commands')).find((item) => item['command_id'] === id)
  const removeOutputs = (id: string) => app.remove(`/v1/commands/${id}/files`)

  it('a record has all keys while the command waits', async () => {
    const id = await app.submit({ metadata: undefined })
    const record = await command(id)
    expect(record).to.have.all.keys(commandKeys)
    expect(record).to.include({
      status: 'QUEUED',
      processing_stage: null,
      command_type: 'FFMPEG_COMMAND',
      environment_name: null,
      error_status: null,
      error_message: null,
      metadata: null,
      total_processing_seconds: null,
      ffmpeg_command_run_seconds: null,
      vcpu_count: 8,
      output_files: null,
      processing_quota_used: null,
      started_at: null,
      attempts: 0,
      finished_at: null,
      progress_percent: null,
      max_command_run_seconds: 300,
    })
    expect(field(record, 'created_at')).to.match(time)
    expect(field(record, 'queue_position')).to.be.at.least(1)
    expect(await listed(id)).to.include({
      storage_quota_used: null,
      processing_quota_used: null,
      output_file_count: null,
    })
  })

  it('a record has all keys while the command runs', async () => {
    const id = await app.submit()
    await start(app, id)
    const record = await command(id)
    expect(record).to.have.all.keys(commandKeys)
    expect(record).to.include({
      status: 'PROCESSING',
      processing_stage: 'FFMPEG_PROCESSING',
      queue_position: null,
      progress_percent: 42,
      output_files: null,
      finished_at: null,
      attempts: 1,
      total_processing_seconds: null,
      processing_quota_used: null,
    })
    expect(field(record, 'started_at')).to.match(time)
  })

  it('a record has all keys after a success, and counts from acceptance to the end', async () => {
    const id = await app.submit()
    await succeed(app, id)
    const record = await command(id)
    expect(record).to.have.all.keys(commandKeys)
    expect(record).to.include({
      status: 'SUCCESS',
      processing_stage: null,
      progress_percent: 100,
      error_status: null,
      error_message: null,
      processing_quota_used: 3,
      ffmpeg_command_run_seconds: 1.5,
      queue_position: null,
    })
    expect(Object.keys(fieldsOf(field(record, 'output_files')))).to.deep.equal(['out_1'])
    expect(field(field(record, 'output_files'), 'out_1')).to.have.all.keys(fileKeys)
    const seconds = ['finished_at', 'created_at'].map((name) =>
      Date.parse(String(field(record, name))),
    )
    expect(field(record, 'total_processing_seconds')).to.be.closeTo(
      ((seconds[0] ?? 0) - (seconds[1] ?? 0)) / 1_000,
      0.002,
    )
    const item = await listed(id)
    expect(item).to.have.all.keys(listedCommandKeys)
    expect(item).to.deep.include({
      storage_quota_used: 1,
      processing_quota_used: 3,
      output_file_count: 1,
      metadata: { order: 17 },
      command_type: 'FFMPEG_COMMAND',
      status: 'SUCCESS',
    })
  })

  it('a record has all keys after a failure', async () => {
    const id = await app.submit()
    await fail(app, id)
    const record = await command(id)
    expect(record).to.have.all.keys(commandKeys)
    expect(record).to.include({
      status: 'FAILED',
      error_status: 'CANCELLED',
      error_message: 'Cancelled by request',
      processing_stage: null,
      output_files: null,
      processing_quota_used: 0,
      ffmpeg_command_run_seconds: null,
      attempts: 0,
      queue_position: null,
    })
    expect(await listed(id)).to.include({
      storage_quota_used: 0,
      processing_quota_used: 0,
      output_file_count: 0,
    })
  })

  it('a record has a step for each command of a chain, and no outputs when one step fails', async () => {
    const id = idOf(await app.post(chainPath, chain))
    expect(await command(id)).to.deep.include({
      command_type: 'FFMPEG_CHAINED_COMMANDS',
      steps: [0, 1].map((index) => ({
        index,
        status: 'QUEUED',
        progress_percent: null,
        ffmpeg_command_run_seconds: null,
        exit_code: null,
      })),
    })
    const attempt = await start(app, id)
    const steps = (['FAILED', 'SKIPPED'] as const).map((status, index) => ({
      index,
      status,
      progress_percent: null,
      ffmpeg_command_run_seconds: null,
      exit_code: status === 'FAILED' ? 234 : null,
    }))
    const commit = { ...commitOf(id, attempt, failed('INVALID_COMMAND')), steps }
    await app.store.commitOutcome(commit)
    expect(await command(id)).to.deep.include({ status: 'FAILED', output_files: null, steps })
  })

  it('keeps deleted outputs, without URLs, and counts no stored bytes', async () => {
    const { commandId } = await storeOutputs(app)
    const before = await command(commandId)
    const outputs = fieldsOf(field(before, 'output_files'))
    expect(outputs).to.have.all.keys('out_1', 'out_playlist_1', 'OUTPUT_FOLDER')
    expect(field(outputs, 'OUTPUT_FOLDER')).to.include({
      file_type: 'zip',
      service_store_type: 'OUTPUT',
      is_deleted: false,
      status: 'STORED',
    })
    expect(field(outputs, 'out_playlist_1')).to.include({
      file_type: 'output_manifest',
      file_format: 'm3u8',
      file_count: 3,
    })
    expect((await removeOutputs(commandId)).status).to.equal(204)
    for (const output of Object.values<unknown>(
      fieldsOf(field(await command(commandId), 'output_files')),
    )) {
      expect(output).to.have.all.keys(fileKeys)
      expect(output).to.include({ is_deleted: true, storage_url: null, status: 'STORED' })
    }
    expect(await listed(commandId)).to.include({
      storage_quota_used: 0,
      output_file_count: 3,
    })
  })
})
