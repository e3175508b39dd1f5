/** Keys on which clients depend, in the order of the documentation. */
export const fileKeys = [
  ...['file_id', 'environment_name', 'storage_url', 'status', 'service_store_type', 'error_status'],
  ...['external_error_message', 'is_deleted', 'size_mbytes', 'file_count'],
  ...['size_compressed_mbytes', 'is_private', 'original_file_url', 'duration', 'file_type'],
  ...['file_format', 'width', 'height', 'codec', 'timebase', 'pixel_format', 'mime_type'],
  ...['frame_rate', 'bitrate_video_kb', 'bitrate_audio_kb', 'video_profile_level'],
  ...['is_varying_frame_rate', 'created_at', 'command_id', 'expires_at'],
]
export const probed = [
  ...['duration', 'width', 'height', 'codec', 'timebase', 'pixel_format', 'mime_type'],
  ...['frame_rate', 'bitrate_video_kb', 'bitrate_audio_kb', 'video_profile_level'],
  'is_varying_frame_rate',
]
export const commandKeys = [
  ...['command_id', 'environment_name', 'status', 'processing_stage', 'command_type'],
  ...['error_status', 'error_message', 'total_processing_seconds', 'ffmpeg_command_run_seconds'],
  ...['vcpu_count', 'output_files', 'original_request', 'processing_quota_used', 'metadata'],
  ...['created_at', 'started_at', 'finished_at', 'progress_percent', 'queue_position', 'attempts'],
  ...['max_command_run_seconds', 'steps', 'priority', 'queue_reason'],
  'estimated_start_at',
  'warnings',
]
export const listedCommandKeys = [
  ...['command_id', 'environment_name', 'status', 'error_status', 'error_message', 'created_at'],
  ...['storage_quota_used', 'processing_quota_used', 'output_file_count', 'command_type'],
  ...['finished_at', 'metadata'],
]
export const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
