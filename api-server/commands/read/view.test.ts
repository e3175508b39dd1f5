import { expect } from 'chai'
import { answerSchema } from '../../http/openapi.ts'
import { timestamp } from '../../http/format.ts'
import { listItem, statusRecord } from './view.ts'
import type { CommandRecord } from '../../../common/store/commands.ts'
import type { StoredFile } from '../../../common/store/files.ts'

const commandId = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01'

const queued: CommandRecord = {
  commandId,
  accountId: '0197a0c2-0000-7000-8000-000000000001',
  environmentName: null,
  commandType: 'FFMPEG_COMMAND',
  source: {
    commands: ['-i {{in_1}} {{out_1}}'],
    inputFiles: { in_1: 'https://media.example/a.avi' },
    inputCompressedFolder: null,
    outputFiles: { out_1: 'a.mp4' },
  },
  originalRequest: { ffmpeg_command: '-i {{in_1}} {{out_1}}' },
  metadata: { order: 17 },
  vcpuCount: 4,
  maxRunSeconds: 60,
  isPrivate: false,
  outputTtlSeconds: null,
  presignedTtlSeconds: null,
  priority: 'high',
  webhookUrl: null,
  status: 'QUEUED',
  stage: null,
  progressPercent: null,
  steps: [],
  errorStatus: null,
  errorMessage: null,
  createdAt: new Date('2026-05-19T18:15:20.349Z'),
  startedAt: null,
  finishedAt: null,
  attempts: 0,
  warnings: [],
  version: 1,
  ffmpegRunSeconds: null,
  processingBytes: null,
  queuePosition: 2,
  queueReason: 'ACCOUNT_VCPUS',
  estimatedStartAt: new Date('2026-05-19T18:20:01.500Z'),
  files: [],
  submittedBy: { prefix: 'cff_AbCd', label: 'CI' },
  cancelledBy: null,
}

const file: StoredFile = {
  fileId: '0197a3f1-a001-7c3a-8d11-5b1c2e6f7a02',
  storeType: 'OUTPUT',
  status: 'STORED',
  errorStatus: null,
  errorMessage: null,
  originalFileUrl: null,
  expiresAt: null,
  alias: 'out_1',
  key: 'public/a/b/c/a b.mp4',
  sizeBytes: 3 * 1_048_576,
  compressedBytes: null,
  fileCount: null,
  media: {
    duration: 30,
    file_type: 'video',
    file_format: 'mp4',
    width: 568,
    height: 320,
    codec: 'h264',
    timebase: '1/12800',
    pixel_format: 'yuv420p',
    mime_type: 'video/mp4',
    frame_rate: 25,
    bitrate_video_kb: 370.5,
    bitrate_audio_kb: null,
    video_profile_level: 'High@3.0',
    is_varying_frame_rate: false,
  },
  commandId,
  environmentName: 'staging',
  isPrivate: false,
  presignedTtlSeconds: null,
  createdAt: new Date('2026-05-19T18:15:45.305Z'),
  deletedAt: null,
}

const success: CommandRecord = {
  ...queued,
  status: 'SUCCESS',
  progressPercent: 100,
  startedAt: new Date('2026-05-19T18:15:21.349Z'),
  finishedAt: new Date('2026-05-19T18:15:45.349Z'),
  attempts: 1,
  ffmpegRunSeconds: 19.5,
  processingBytes: 5 * 1_048_576,
  queuePosition: null,
  queueReason: null,
  estimatedStartAt: null,
  files: [file],
}

const failed: CommandRecord = {
  ...success,
  status: 'FAILED',
  progressPercent: 40,
  errorStatus: 'FFMPEG_FAILED',
  errorMessage: 'FFmpeg ended with exit code 187',
  files: [],
}

const urlOf = ({ key }: StoredFile) => `https://files.example/${key}`

describe('statusRecord', () => {
  it('a status record has every key in every state', () => {
    const keys = answerSchema('getCommand', 200)?.['required']
    for (const command of [queued, success, failed]) {
      expect(Object.keys(statusRecord(command, urlOf))).to.have.members(keys as string[])
    }
  })

  it('shows a queued command with its effective limits and one step per FFmpeg command', () => {
    const record = statusRecord(queued, urlOf)
    expect(record).to.include({
      status: 'QUEUED',
      queue_position: 2,
      queue_reason: 'ACCOUNT_VCPUS',
      queue_message: null,
      estimated_start_at: '2026-05-19T18:20:10.000000Z',
      vcpu_count: 4,
      max_command_run_seconds: 60,
      total_processing_seconds: null,
      processing_quota_used: null,
      output_files: null,
      started_at: null,
      created_at: '2026-05-19T18:15:20.349000Z',
    })
    expect(record.steps).to.deep.equal([
      {
        index: 0,
        status: 'QUEUED',
        progress_percent: null,
        ffmpeg_command_run_seconds: null,
        exit_code: null,
      },
    ])
  })

  it('says why and gives no start while the queue is paused', () => {
    const pause = { why: 'nodes are replaced', pausedAt: new Date() }
    const paused = {
      queue_reason: 'PAUSED',
      queue_message: 'nodes are replaced',
      estimated_start_at: null,
    }
    const accountId = null
    for (const what of ['admission', 'account'] as const) {
      const of = what === 'account' ? queued.accountId : accountId
      const shown = statusRecord(queued, urlOf, [{ ...pause, what, accountId: of }])
      expect(shown, what).to.deep.include(paused)
    }
    const another = { ...pause, what: 'account', accountId: commandId } as const
    const dispatch = { ...pause, what: 'dispatch', accountId } as const
    const admitted = statusRecord({ ...queued, queuePosition: null }, urlOf, [
      { ...pause, what: 'admission', accountId },
    ])
    expect(admitted.queue_message).to.equal(null)
    expect(statusRecord(queued, urlOf, [another, dispatch]).queue_message).to.equal(null)
  })

  it('counts from acceptance to the end', () => {
    expect(statusRecord(success, urlOf)).to.include({
      total_processing_seconds: 25,
      ffmpeg_command_run_seconds: 19.5,
      processing_quota_used: 5,
      progress_percent: 100,
      queue_position: null,
    })
  })

  it('shows outputs under their aliases', () => {
    const { output_files: outputs } = statusRecord(success, urlOf)
    expect(outputs).to.deep.equal({
      out_1: {
        file_id: file.fileId,
        environment_name: 'staging',
        storage_url: 'https://files.example/public/a/b/c/a b.mp4',
        status: 'STORED',
        service_store_type: 'OUTPUT',
        error_status: null,
        external_error_message: null,
        is_deleted: false,
        size_mbytes: 3,
        file_count: null,
        size_compressed_mbytes: null,
        is_private: false,
        original_file_url: null,
        ...file.media,
        created_at: '2026-05-19T18:15:45.305000Z',
        command_id: commandId,
        expires_at: null,
      },
    })
  })

  it('a record names the key that submitted it, and who cancelled it once it is cancelled', () => {
    const submittedBy = { key_prefix: 'cff_AbCd', key_label: 'CI' }
    const requested = { ...success, cancelledBy: 'key cff_EfGh' }
    expect(statusRecord(requested, urlOf)).to.deep.include({
      submitted_by: submittedBy,
      cancelled_by: null,
    })
    const cancelled = { ...requested, status: 'FAILED', errorStatus: 'CANCELLED' } as const
    expect(statusRecord({ ...cancelled, submittedBy: null }, urlOf)).to.deep.include({
      submitted_by: null,
      cancelled_by: 'key cff_EfGh',
    })
  })

  it('keeps the record of a deleted output, without its URL', () => {
    const deleted = { ...file, deletedAt: new Date('2026-05-20T00:00:00Z') }
    const record = statusRecord({ ...success, files: [deleted] }, urlOf)
    expect(record.output_files?.['out_1']).to.include({ is_deleted: true, storage_url: null })
  })

  it('shows no outputs of a failed command', () => {
    expect(statusRecord(failed, urlOf)).to.include({
      output_files: null,
      error_status: 'FFMPEG_FAILED',
      error_message: 'FFmpeg ended with exit code 187',
      progress_percent: 40,
    })
  })
})

describe('listItem', () => {
  const nothingStored = { storedBytes: 0, outputCount: 0 }

  it('a list item has neither size nor count before the end', () => {
    expect(listItem({ ...queued, ...nothingStored })).to.include({
      storage_quota_used: null,
      processing_quota_used: null,
      output_file_count: null,
    })
  })

  it('a list item has the stored size in MB', () => {
    expect(listItem({ ...success, storedBytes: 1_572_864, outputCount: 2 })).to.include({
      storage_quota_used: 1.5,
      output_file_count: 2,
    })
  })

  it('counts nothing for a failed command', () => {
    expect(listItem({ ...failed, ...nothingStored })).to.include({
      storage_quota_used: 0,
      output_file_count: 0,
    })
  })
})

describe('timestamp', () => {
  it('a timestamp has six digits of a second', () => {
    expect(timestamp(new Date('2026-05-19T18:15:20.34Z'))).to.equal('2026-05-19T18:15:20.340000Z')
  })
})
