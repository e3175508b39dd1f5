// Generated from api-server/openapi.json by 'npm run generate'.

/**
 * Store every file that the command creates, as one zip archive.
 */
export type OutputFolder = 'OUTPUT_FOLDER'
/**
 * SUCCESS and FAILED are final.
 */
export type CommandStatus =
  'QUEUED' | 'PROCESSING' | 'PREPARED_FFMPEG_COMMAND' | 'FAILED' | 'SUCCESS'
/**
 * UUID; in answers lower case.
 */
export type Id = string
/**
 * RFC 3339, UTC, microseconds.
 */
export type Time = string
export type ProcessingStage =
  'DOWNLOADING' | 'PREPARING_INPUT_FILES' | 'FFMPEG_PROCESSING' | 'UPLOADING'
export type CommandType = 'FFMPEG_COMMAND' | 'FFMPEG_CHAINED_COMMANDS'
/**
 * Kind of failure. The list grows only with a minor version.
 */
export type ErrorStatus =
  | 'UNREACHABLE_INPUT_FILE'
  | 'INPUT_TOO_LARGE'
  | 'INVALID_INPUT_FILE'
  | 'INVALID_COMMAND'
  | 'FORBIDDEN_OPERATION'
  | 'FFMPEG_FAILED'
  | 'FFMPEG_CRASHED'
  | 'COMMAND_TIMEOUT'
  | 'OUT_OF_MEMORY'
  | 'OUTPUT_TOO_LARGE'
  | 'DISK_FULL'
  | 'MISSING_OUTPUT_FILE'
  | 'QUOTA_EXCEEDED'
  | 'UPLOAD_EXPIRED'
  | 'CANCELLED'
  | 'STORAGE_ERROR'
  | 'START_TIMEOUT'
  | 'RUNNER_LOST'
  | 'INTERNAL_ERROR'
/**
 * The request with defaults filled in; it can be sent again as it is.
 */
export type OriginalRequest = OriginalCommand | OriginalChain

export interface Calls {
  runFfmpegCommand: {
    path: {}
    query: {}
    body: RunFfmpegCommandBody
  }
  listCommands: {
    path: {}
    query: {
      limit: number
      offset: number
      status?: CommandStatus
    }
  }
  getCommand: {
    path: {
      command_id: Id
    }
    query: {
      presigned_ttl_seconds?: number | null
    }
  }
}
/**
 * The request once it is checked: defaults are filled in.
 */
export interface RunFfmpegCommandBody {
  /**
   * FFmpeg's arguments, without the program's name. Files are written as placeholders: {{in_1}}, {{out_1}}. At most 65,536 bytes.
   */
  ffmpeg_command: string
  input_files?: InputFiles
  /**
   * URL of one zip archive with the inputs, in place of input_files. It is unpacked into the working directory; the command names its files without placeholders.
   */
  input_compressed_folder?: string
  /**
   * The files to create, or "OUTPUT_FOLDER".
   */
  output_files: OutputFiles | OutputFolder
  /**
   * Seconds after which FFmpeg is stopped; lowered to the plan's maximum. Waiting, fetching and storing do not count.
   */
  max_command_run_seconds: number
  /**
   * CPUs for FFmpeg; lowered to the plan's maximum.
   */
  vcpu_count: number
  metadata?: Metadata
  /**
   * Store the outputs so that only presigned URLs open them (presigned_ttl_seconds).
   */
  is_private: boolean
}
/**
 * Alias (in_...) to the http or https URL of a file, at most 8,192 characters and without user name or password. `{}` for commands that generate their sources.
 */
export interface InputFiles {
  [k: string]: string
}
/**
 * Alias (out_...) to the name of the file to create, without folders. Playlists (.m3u8, .mpd) use aliases that start with out_playlist_, and only they do.
 */
export interface OutputFiles {
  [k: string]: string
}
/**
 * Stored with the command and returned in its record. Values are never converted.
 */
export interface Metadata {
  [k: string]: string | number | boolean
}
export interface RunFfmpegCommandRequest {
  /**
   * FFmpeg's arguments, without the program's name. Files are written as placeholders: {{in_1}}, {{out_1}}. At most 65,536 bytes.
   */
  ffmpeg_command: string
  input_files?: InputFiles
  /**
   * URL of one zip archive with the inputs, in place of input_files. It is unpacked into the working directory; the command names its files without placeholders.
   */
  input_compressed_folder?: string
  /**
   * The files to create, or "OUTPUT_FOLDER".
   */
  output_files: OutputFiles | OutputFolder
  /**
   * Seconds after which FFmpeg is stopped; lowered to the plan's maximum. Waiting, fetching and storing do not count.
   */
  max_command_run_seconds?: number
  /**
   * CPUs for FFmpeg; lowered to the plan's maximum.
   */
  vcpu_count?: number
  metadata?: Metadata
  /**
   * Store the outputs so that only presigned URLs open them (presigned_ttl_seconds).
   */
  is_private?: boolean
}
export interface CommandAccepted {
  command_id: Id
}
export interface OriginalCommand {
  ffmpeg_command: string
  input_files: {
    [k: string]: string
  } | null
  input_compressed_folder: string | null
  output_files:
    | {
        [k: string]: string
      }
    | 'OUTPUT_FOLDER'
  max_command_run_seconds: number
  vcpu_count: number
  metadata: {
    [k: string]: string | number | boolean
  } | null
  is_private: boolean
}
export interface OriginalChain {
  ffmpeg_commands: string[]
  input_files: {
    [k: string]: string
  }
  output_files: {
    [k: string]: string
  }
  max_command_run_seconds: number
  vcpu_count: number
  metadata: {
    [k: string]: string | number | boolean
  } | null
  is_private: boolean
}
/**
 * One FFmpeg command.
 */
export interface Step {
  index: number
  status: 'QUEUED' | 'PROCESSING' | 'SUCCESS' | 'FAILED' | 'SKIPPED'
  progress_percent: number | null
  ffmpeg_command_run_seconds: number | null
  exit_code: number | null
}
/**
 * A stored file. Media fields are null where they do not apply or the file could not be probed.
 */
export interface FileRecord {
  file_id: Id
  environment_name: string | null
  /**
   * Where the file is; null once it is deleted.
   */
  storage_url: string | null
  status: 'QUEUED' | 'DOWNLOADING' | 'DOWNLOADED' | 'UPLOADED' | 'FAILED' | 'STORED' | null
  service_store_type: 'INPUT' | 'OUTPUT' | 'STORED_FILE' | null
  error_status: string | null
  external_error_message: string | null
  is_deleted: boolean
  /**
   * MB; of a playlist or folder the total of its files.
   */
  size_mbytes: number | null
  /**
   * Files in a playlist or folder.
   */
  file_count: number | null
  /**
   * MB of a folder's zip archive.
   */
  size_compressed_mbytes: number | null
  is_private: boolean
  original_file_url: string | null
  /**
   * Seconds.
   */
  duration: number | null
  /**
   * video, audio, image, subtitles, output_manifest, zip or other.
   */
  file_type: string | null
  file_format: string | null
  /**
   * Pixels.
   */
  width: number | null
  /**
   * Pixels.
   */
  height: number | null
  codec: string | null
  timebase: string | null
  pixel_format: string | null
  mime_type: string | null
  /**
   * Frames per second.
   */
  frame_rate: number | null
  /**
   * Bits per second / 1,024.
   */
  bitrate_video_kb: number | null
  /**
   * Bits per second / 1,024.
   */
  bitrate_audio_kb: number | null
  video_profile_level: string | null
  is_varying_frame_rate: boolean | null
  created_at: Time
  /**
   * The command whose output it is.
   */
  command_id: Id | null
  /**
   * When it will be deleted; null: never.
   */
  expires_at: Time | null
}
export interface CommandStatusRecord {
  command_id: Id
  /**
   * Environment of the key that submitted it.
   */
  environment_name: string | null
  status: CommandStatus
  /**
   * What happens now; null while queued and at the end.
   */
  processing_stage: ProcessingStage | null
  command_type: CommandType
  /**
   * Kind of failure; null unless FAILED.
   */
  error_status: ErrorStatus | null
  /**
   * The failure in a sentence, with the end of FFmpeg's output where FFmpeg failed.
   */
  error_message: string | null
  /**
   * From acceptance to the end; null before it.
   */
  total_processing_seconds: number | null
  /**
   * Time that FFmpeg ran; null if it never did.
   */
  ffmpeg_command_run_seconds: number | null
  /**
   * vCPUs used.
   */
  vcpu_count: number | null
  /**
   * MB charged; null before the end.
   */
  processing_quota_used: number | null
  metadata: {
    [k: string]: string | number | boolean
  } | null
  /**
   * Output alias to file; null until SUCCESS. A folder has the one key OUTPUT_FOLDER.
   */
  output_files: {
    [k: string]: FileRecord
  } | null
  original_request: OriginalRequest
  created_at: Time
  /**
   * When it left the queue.
   */
  started_at: Time | null
  /**
   * When its outcome was recorded.
   */
  finished_at: Time | null
  /**
   * 0 to 99 while running, 100 on SUCCESS; null while unknown.
   */
  progress_percent: number | null
  /**
   * 1 is next; only while QUEUED.
   */
  queue_position: number | null
  /**
   * Times that a runner took it.
   */
  attempts: number
  /**
   * The limit in force.
   */
  max_command_run_seconds: number
  steps: Step[]
}
export interface CommandListItem {
  command_id: Id
  environment_name: string | null
  status: CommandStatus
  error_status: ErrorStatus | null
  error_message: string | null
  created_at: Time
  /**
   * MB still stored; null before the end.
   */
  storage_quota_used: number | null
  /**
   * MB charged; null before the end.
   */
  processing_quota_used: number | null
  /**
   * Files produced, deleted ones included; null before the end.
   */
  output_file_count: number | null
  command_type: CommandType
  finished_at: Time | null
  metadata: {
    [k: string]: string | number | boolean
  } | null
}
export interface Problem {
  detail: string
}
export interface ValidationProblem {
  /**
   * @minItems 1
   * @maxItems 20
   */
  detail: ValidationMistake[]
}
export interface ValidationMistake {
  /**
   * Where: body, query, path or header, then field names and array indices.
   */
  loc: string[]
  msg: string
  type:
    | 'missing'
    | 'json_invalid'
    | 'string_type'
    | 'int_parsing'
    | 'float_parsing'
    | 'bool_parsing'
    | 'dict_type'
    | 'list_type'
    | 'uuid_parsing'
    | 'url_parsing'
    | 'enum'
    | 'greater_than'
    | 'greater_than_equal'
    | 'less_than_equal'
    | 'string_too_short'
    | 'string_too_long'
    | 'string_pattern_mismatch'
    | 'too_short'
    | 'too_long'
    | 'value_error'
    | 'command_syntax'
    | 'command_alias'
    | 'command_forbidden'
    | 'idempotency_key_reused'
  /**
   * With the command_... types: the token at fault and the character where it begins, from 1.
   */
  ctx?: {
    token: string | null
    position: number | null
  }
}
