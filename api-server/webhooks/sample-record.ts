import { aCommandRecord } from '../../common/openapi/a-command-record.ts'
import { timestamp } from '../http/format.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

/** A sample event's record: a finished command as in the API. No command with its id exists. */
export function sampleRecord(commandId: string, at: Date): CommandStatusRecord {
  const time = timestamp(at)
  return aCommandRecord({
    command_id: commandId,
    status: 'SUCCESS',
    total_processing_seconds: 24.955,
    ffmpeg_command_run_seconds: 19.58,
    processing_quota_used: 20.25,
    metadata: { sample: true },
    output_files: {},
    original_request: {
      ffmpeg_command: '-i {{in_1}} -vf "scale=-2:320" {{out_1}}',
      input_files: { in_1: 'https://media.example/sample.avi' },
      input_compressed_folder: null,
      output_files: { out_1: 'small.mp4' },
      max_command_run_seconds: 300,
      vcpu_count: 4,
      metadata: { sample: true },
      is_private: false,
      priority: 'normal',
      output_ttl_seconds: null,
      presigned_ttl_seconds: null,
      webhook_url: null,
    },
    created_at: time,
    started_at: time,
    finished_at: time,
    progress_percent: 100,
    attempts: 1,
    steps: [
      {
        index: 0,
        status: 'SUCCESS',
        progress_percent: 100,
        ffmpeg_command_run_seconds: 19.58,
        exit_code: 0,
      },
    ],
  })
}
