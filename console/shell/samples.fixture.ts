import { aCommandRecord } from '../../common/openapi/a-command-record.ts'
import type {
  AccountEvent,
  CommandListItem,
  FileRecord,
  WebhookDelivery,
} from '../../common/openapi/openapi-types.ts'

/** A command of a list, which waits. */
export function anItem(change: Partial<CommandListItem> = {}): CommandListItem {
  const record = aCommandRecord()
  return {
    command_id: record.command_id,
    environment_name: record.environment_name,
    status: record.status,
    error_status: record.error_status,
    error_message: record.error_message,
    created_at: record.created_at,
    storage_quota_used: null,
    processing_quota_used: record.processing_quota_used,
    output_file_count: null,
    command_type: record.command_type,
    finished_at: record.finished_at,
    metadata: record.metadata,
    ...change,
  }
}

/** An event of a command that runs. */
export function anEvent(change: Partial<AccountEvent> = {}): AccountEvent {
  return {
    command_id: 'a',
    status: 'PROCESSING',
    processing_stage: 'FFMPEG_PROCESSING',
    progress_percent: 42,
    attempts: 1,
    error_status: null,
    error_message: null,
    queue_position: null,
    queue_reason: null,
    started_at: '2026-05-19T17:59:00.000000Z',
    finished_at: null,
    steps: [],
    timestamp: '2026-05-19T18:00:00.000000Z',
    ...change,
  }
}

/** An event of a command that has ended. */
export function anEnd(change: Partial<AccountEvent> = {}): AccountEvent {
  return anEvent({
    status: 'SUCCESS',
    processing_stage: null,
    progress_percent: 100,
    finished_at: '2026-05-19T18:00:00.000000Z',
    ...change,
  })
}

/** A public output that is stored. */
export function aFile(change: Partial<FileRecord> = {}): FileRecord {
  return {
    file_id: 'f',
    environment_name: null,
    storage_url: 'https://s3.example/public/small.mp4',
    status: 'STORED',
    service_store_type: 'OUTPUT',
    error_status: null,
    external_error_message: null,
    is_deleted: false,
    size_mbytes: 2.5,
    file_count: null,
    size_compressed_mbytes: null,
    is_private: false,
    original_file_url: null,
    duration: null,
    file_type: 'video',
    file_format: 'mp4',
    width: null,
    height: null,
    codec: 'h264',
    timebase: null,
    pixel_format: null,
    mime_type: null,
    frame_rate: null,
    bitrate_video_kb: null,
    bitrate_audio_kb: null,
    video_profile_level: null,
    is_varying_frame_rate: null,
    created_at: '2026-05-19T17:55:00.000000Z',
    command_id: 'a',
    expires_at: null,
    ...change,
  }
}

/** A delivery that has failed once and waits for its next attempt. */
export function aDelivery(change: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    webhook_id: 'msg_1',
    event: 'command.finished',
    command_id: 'a',
    file_id: null,
    url: 'https://app.example/hook',
    status: 'PENDING',
    attempts: [{ at: '2026-05-19T17:59:00.000000Z', response_status: 502, error: null }],
    next_attempt_at: '2026-05-19T18:04:30.000000Z',
    created_at: '2026-05-19T17:59:00.000000Z',
    ...change,
  }
}
