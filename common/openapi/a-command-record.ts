import type { CommandStatusRecord } from './openapi-types.ts'

/** The record of a command that waits, with every field of the API: the sample of tests and of webhooks. */
export function aCommandRecord(change: Partial<CommandStatusRecord> = {}): CommandStatusRecord {
  return {
    command_id: 'a',
    environment_name: null,
    status: 'QUEUED',
    processing_stage: null,
    command_type: 'FFMPEG_COMMAND',
    error_status: null,
    error_message: null,
    total_processing_seconds: null,
    ffmpeg_command_run_seconds: null,
    vcpu_count: 4,
    processing_quota_used: null,
    metadata: null,
    output_files: null,
    original_request: null,
    created_at: '2026-05-19T17:55:00.000000Z',
    started_at: null,
    finished_at: null,
    progress_percent: null,
    priority: 'normal',
    queue_position: null,
    queue_reason: null,
    queue_message: null,
    estimated_start_at: null,
    attempts: 0,
    max_command_run_seconds: 300,
    steps: [],
    warnings: [],
    submitted_by: null,
    cancelled_by: null,
    ...change,
  }
}
