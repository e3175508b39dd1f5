// Generated from common/openapi/openapi.json by 'npm run generate'.

export type RunFfmpegCommandBody = Checked<RunFfmpegCommandRequest, 'is_private' | 'priority'>
export type RunChainedFfmpegCommandsBody = Checked<
  RunChainedFfmpegCommandsRequest,
  'is_private' | 'priority'
>
export type PutWebhookBody = Checked<PutWebhookRequest, 'events' | 'rotate_secret' | 'move_pending'>
export type StoreFileBody = Checked<StoreFileRequest, 'is_private'>
export type InitUploadBody = Checked<InitUploadRequest, 'is_private'>
export type CreateKeyBody = Checked<CreateKeyRequest, 'read_only' | 'expires_in_seconds'>
/**
 * UUID; in answers lower case.
 */
export type Id = string
/**
 * RFC 3339, UTC, microseconds.
 */
export type Time = string
/**
 * RFC 3339 with `Z` or an offset; also a date, which is its first instant in UTC. A `+` may arrive as a blank.
 */
export type TimeParameter = string
/**
 * SUCCESS and FAILED are final.
 */
export type CommandStatus =
  'QUEUED' | 'PROCESSING' | 'PREPARED_FFMPEG_COMMAND' | 'FAILED' | 'SUCCESS'
export type ProcessingStage =
  'DOWNLOADING' | 'PREPARING_INPUT_FILES' | 'FFMPEG_PROCESSING' | 'UPLOADING'
export type CommandType = 'FFMPEG_COMMAND' | 'FFMPEG_CHAINED_COMMANDS'
/**
 * Kind of failure, and what to do about it. The list grows only with a minor version.
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
 * Store every file that the command creates, as one zip archive.
 */
export type OutputFolder = 'OUTPUT_FOLDER'
/**
 * Seconds after the end at which the outputs are deleted: 60 to 31,536,000; 0 keeps them. Without it the account's default holds.
 */
export type OutputTtlSeconds = number
/**
 * With is_private: each record and webhook has presigned URLs, which open the files for so many seconds from then on: 1 to 604,800. A value in the query of a GET takes precedence. 0 and absent: storage_url answers 403.
 */
export type PresignedTtlSeconds = number
/**
 * http or https URL that is notified at this command's end, in place of the account's.
 */
export type WebhookUrl = string
/**
 * The request with defaults filled in; it can be sent again as it is.
 */
export type OriginalRequest = OriginalCommand | OriginalChain
/**
 * Order among the waiting commands of the account.
 */
export type Priority = 'low' | 'normal' | 'high'
/**
 * The kind of a refusal. Programs switch on it: texts may change. A later version may add codes.
 */
export type ProblemCode =
  | 'wrong_state'
  | 'upload_expired'
  | 'ambiguous_headers'
  | 'malformed_request'
  | 'invalid_key'
  | 'forbidden'
  | 'read_only_key'
  | 'account_suspended'
  | 'plan_limit'
  | 'quota_exceeded'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'command_finished'
  | 'idempotency_in_progress'
  | 'request_timeout'
  | 'body_too_large'
  | 'invalid_request'
  | 'rate_limited'
  | 'queue_full'
  | 'too_many_streams'
  | 'headers_too_large'
  | 'internal_error'
  | 'unavailable'
  | 'submissions_paused'
/**
 * STORED and FAILED are final. An upload can be used from UPLOADED on.
 */
export type FileStatus = 'QUEUED' | 'DOWNLOADING' | 'DOWNLOADED' | 'UPLOADED' | 'FAILED' | 'STORED'
/**
 * `command.finished`: a command ended; `file.stored`, `file.failed`: a file of store-file or an upload did.
 */
export type WebhookEvent = 'command.finished' | 'file.stored' | 'file.failed'
/**
 * PENDING: not sent yet, or to be tried again; FAILED: given up.
 */
export type WebhookDeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED'
/**
 * The body of a single command, or of a chain where it has ffmpeg_commands.
 */
export type ValidateFfmpegCommandRequest = RunFfmpegCommandRequest | RunChainedFfmpegCommandsRequest

export interface Calls {
  runFfmpegCommand: {
    path: Requests['runFfmpegCommand']['path']
    query: Requests['runFfmpegCommand']['query']
    body: RunFfmpegCommandBody
  }
  listCommands: {
    path: Requests['listCommands']['path']
    query: Checked<Requests['listCommands']['query'], 'limit' | 'offset'>
  }
  getCommand: Requests['getCommand']
  runChainedFfmpegCommands: {
    path: Requests['runChainedFfmpegCommands']['path']
    query: Requests['runChainedFfmpegCommands']['query']
    body: RunChainedFfmpegCommandsBody
  }
  cancelCommand: Requests['cancelCommand']
  getCommandLogs: {
    path: Requests['getCommandLogs']['path']
    query: Checked<Requests['getCommandLogs']['query'], 'follow' | 'levels'>
  }
  getCommandTimeline: Requests['getCommandTimeline']
  getCommandEvents: Requests['getCommandEvents']
  getEvents: {
    path: Requests['getEvents']['path']
    query: Checked<Requests['getEvents']['query'], 'files'>
  }
  registerAccount: Requests['registerAccount']
  activateAccount: Requests['activateAccount']
  getWebhook: Requests['getWebhook']
  putWebhook: {
    path: Requests['putWebhook']['path']
    query: Requests['putWebhook']['query']
    body: PutWebhookBody
  }
  deleteWebhook: Requests['deleteWebhook']
  testWebhook: Requests['testWebhook']
  listWebhookDeliveries: {
    path: Requests['listWebhookDeliveries']['path']
    query: Checked<Requests['listWebhookDeliveries']['query'], 'limit' | 'offset'>
  }
  getWebhookDelivery: Requests['getWebhookDelivery']
  redeliverWebhook: Requests['redeliverWebhook']
  storeFile: {
    path: Requests['storeFile']['path']
    query: Requests['storeFile']['query']
    body: StoreFileBody
  }
  initUpload: {
    path: Requests['initUpload']['path']
    query: Requests['initUpload']['query']
    body: InitUploadBody
  }
  completeUpload: Requests['completeUpload']
  abortUpload: Requests['abortUpload']
  listFiles: {
    path: Requests['listFiles']['path']
    query: Checked<Requests['listFiles']['query'], 'limit' | 'offset'>
  }
  getFile: {
    path: Requests['getFile']['path']
    query: Checked<Requests['getFile']['query'], 'download'>
  }
  deleteFile: Requests['deleteFile']
  deleteCommandFiles: Requests['deleteCommandFiles']
  getFilePlaylist: Requests['getFilePlaylist']
  bulkDeleteFiles: Requests['bulkDeleteFiles']
  deleteAccount: Requests['deleteAccount']
  getUsage: Requests['getUsage']
  getUsageHistory: {
    path: Requests['getUsageHistory']['path']
    query: Checked<Requests['getUsageHistory']['query'], 'bucket'>
  }
  listKeys: Requests['listKeys']
  createKey: {
    path: Requests['createKey']['path']
    query: Requests['createKey']['query']
    body: CreateKeyBody
  }
  revokeKey: Requests['revokeKey']
  validateFfmpegCommand: {
    path: Requests['validateFfmpegCommand']['path']
    query: Checked<Requests['validateFfmpegCommand']['query'], 'schema_errors'>
  }
}
/**
 * Alias (in_...) to the http or https URL of a file, at most 8,192 characters and without user name or password. `{}` for commands that generate their sources.
 */
export interface InputFiles {
  [k: string]: string
}
/**
 * Alias (out_...) to the name of the file to create, without folders. Playlists (.m3u8, .mpd) use aliases that start with out_playlist_, and only they do. FFmpeg's log is stored under an alias too: end the command with `2> {{out_1}}`. {} is for commands whose every output is the null sink, `-f null -`: the logs are the result.
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
   * Seconds after which FFmpeg is stopped; lowered to the plan's maximum. Waiting, fetching and storing do not count. By default 300, or the plan's maximum where that is less.
   */
  max_command_run_seconds?: number
  /**
   * CPUs for FFmpeg; lowered to the plan's maximum. By default 8, or the plan's maximum where that is less.
   */
  vcpu_count?: number
  metadata?: Metadata
  /**
   * Store the outputs so that only presigned URLs open them (presigned_ttl_seconds).
   */
  is_private?: boolean
  /**
   * Order among the waiting commands of the account; other accounts are not affected. A high command passes the normal ones of the last 10 minutes, a low one is passed by those of the next 10 minutes.
   */
  priority?: 'low' | 'normal' | 'high'
  output_ttl_seconds?: OutputTtlSeconds
  presigned_ttl_seconds?: PresignedTtlSeconds
  webhook_url?: WebhookUrl
}
export interface CommandAccepted {
  command_id: Id
  /**
   * Unknown fields, which are ignored, values that the plan lowers, and what is probably a mistake, as in a dry run; absent if there are none. The Warning header has them too.
   */
  warnings?: string[]
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
  priority?: Priority
  output_ttl_seconds: number | null
  presigned_ttl_seconds?: number | null
  webhook_url: string | null
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
  priority?: Priority
  output_ttl_seconds: number | null
  presigned_ttl_seconds?: number | null
  webhook_url: string | null
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
   * URL of the file; null once it is deleted. That of a private file opens it where presigned_ttl_seconds was given, and else answers 403.
   */
  storage_url: string | null
  status: 'QUEUED' | 'DOWNLOADING' | 'DOWNLOADED' | 'UPLOADED' | 'FAILED' | 'STORED' | null
  service_store_type: 'INPUT' | 'OUTPUT' | 'STORED_FILE' | null
  /**
   * Why it is FAILED; STORAGE_ERROR where is_deleted is true and status STORED: the file is missing in the bucket.
   */
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
  /**
   * Media type by the content: audio/mp4 for an MP4 with sound alone.
   */
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
   * Current activity; null while queued and at the end.
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
   * Seconds from acceptance to the end; null before it.
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
  /**
   * Submitted texts and options, with defaults. Null once the plan's retention of originals has passed.
   */
  original_request: OriginalRequest | null
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
   * 0 to 99 while running, 100 on SUCCESS; null while unknown. With a playlist or a list among the inputs, the first half counts the segments that are fetched.
   */
  progress_percent: number | null
  priority: Priority
  /**
   * 1 is next in the order of the account; only while QUEUED. Behind 1,000 it is counted in the order of submission.
   */
  queue_position: number | null
  /**
   * Reasons why commands of the account wait: DISPATCH, to be handed to the cluster; ACCOUNT_VCPUS or ACCOUNT_JOBS, for the account's own commands to end; FAIR_SHARE, because what is free is kept for accounts below their share that submitted of late; CAPACITY, because the cluster is full; POLICY or QUOTA_OF_CLUSTER, because a policy or a quota of the cluster refuses its runner for now, which is tried again; PAUSED, because an administrator has paused the start of commands; KUEUE, because the queue of the cluster, Kueue, has not started it. Only while QUEUED; null while unknown and once a runner starts. Later versions may add words.
   */
  queue_reason:
    | 'DISPATCH'
    | 'ACCOUNT_VCPUS'
    | 'ACCOUNT_JOBS'
    | 'QUOTA'
    | 'FAIR_SHARE'
    | 'CAPACITY'
    | 'POLICY'
    | 'QUOTA_OF_CLUSTER'
    | 'PAUSED'
    | 'KUEUE'
    | null
  /**
   * The administrator's reason of the pause; null unless queue_reason is PAUSED.
   */
  queue_message: string | null
  /**
   * When it will probably start, from the mean run time of the account's commands and the vCPUs that the account uses. Only while QUEUED and not PAUSED, up to position 1,000, once three commands of the account have ended; it changes as the queue does.
   */
  estimated_start_at: Time | null
  /**
   * Times that a runner took it.
   */
  attempts: number
  /**
   * The limit in force.
   */
  max_command_run_seconds: number
  steps: Step[]
  /**
   * Results that differ from the probable intention, although the command ended with SUCCESS; may be empty.
   */
  warnings: CommandWarning[]
  /**
   * The key that submitted it; null for an object that was applied in the cluster, and for what an administrator submitted again.
   */
  submitted_by: {
    /**
     * First characters of the key; null for a key that an administrator chose.
     */
    key_prefix: string | null
    key_label: string | null
  } | null
  /**
   * Who requested the cancellation first: `key` with the first characters of the key (without them its label, or its id), `administrator`, `spec.cancel of the object`, `deletion of the object` or `deletion of the account`. null unless error_status is CANCELLED, and where it is not known. Later versions may add words.
   */
  cancelled_by: string | null
}
export interface CommandWarning {
  /**
   * - `MISSING_GLYPHS`: No font has a character of a text, which is a box in the picture.
   * - `TRAILING_OPTIONS`: Options stand behind the last output, where FFmpeg drops them.
   * - `STRAY_PERCENT`: A text of drawtext has a '%' that begins nothing, and is not drawn.
   * - `DAMAGED_INPUT`: FFmpeg met broken data in an input, which the output may show.
   * - `MISSING_SEGMENTS`: A playlist names files that were not stored.
   * - `HEVC_TAG`: HEVC in MP4 or MOV has the tag 'hev1', which Apple's players refuse.
   * - `PRIVATE_PLAYLIST`: A presigned URL opens a private playlist, and not its segments.
   * - `TILED_PICTURE`: FFmpeg read one tile of a picture that is made of tiles.
   */
  code:
    | 'MISSING_GLYPHS'
    | 'TRAILING_OPTIONS'
    | 'STRAY_PERCENT'
    | 'DAMAGED_INPUT'
    | 'MISSING_SEGMENTS'
    | 'HEVC_TAG'
    | 'PRIVATE_PLAYLIST'
    | 'TILED_PICTURE'
  /**
   * Event and remedy.
   */
  message: string
  /**
   * The input or output that it is about; null where it is about the whole command.
   */
  alias: string | null
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
  /**
   * Current activity; null while queued and at the end. With `expand=progress`.
   */
  processing_stage?: ProcessingStage | null
  /**
   * 0 to 99 while running, 100 on SUCCESS; null while unknown. With `expand=progress`.
   */
  progress_percent?: number | null
  /**
   * 1 is next in the order of the account; 1001 stands for all behind 1,000. Only while QUEUED. With `expand=progress`.
   */
  queue_position?: number | null
  /**
   * Same as in the record of the command. With `expand=progress`.
   */
  queue_reason?:
    | 'DISPATCH'
    | 'ACCOUNT_VCPUS'
    | 'ACCOUNT_JOBS'
    | 'QUOTA'
    | 'FAIR_SHARE'
    | 'CAPACITY'
    | 'POLICY'
    | 'QUOTA_OF_CLUSTER'
    | 'PAUSED'
    | 'KUEUE'
    | null
  /**
   * Same as in the record of the command. With `expand=progress`.
   */
  queue_message?: string | null
  /**
   * When it left the queue. With `expand=progress`.
   */
  started_at?: Time | null
  /**
   * vCPUs used. With `expand=progress`.
   */
  vcpu_count?: number
  /**
   * The first 300 characters of the first FFmpeg command; null once the plan's retention of originals has passed. With `expand=request`.
   */
  ffmpeg_command?: string | null
  /**
   * FFmpeg commands of the chain. With `expand=request`.
   */
  steps_count?: number
  /**
   * Names of the first three inputs, or of the zip: the last part of the path of each URL. null once the plan's retention of originals has passed. With `expand=names`.
   *
   * @maxItems 3
   */
  input_names?: string[] | null
  /**
   * Names of the first three outputs, or OUTPUT_FOLDER; null as `input_names` is. With `expand=names`.
   *
   * @maxItems 3
   */
  output_names?: string[] | null
  /**
   * URL of the first output that is an image of at most 8 MB, else of the first video; of a private one the presigned URL. null where there is none, once it is deleted, and where it is private and `presigned_ttl_seconds` was not given. With `expand=preview`.
   */
  preview_url?: string | null
}
export interface Problem {
  detail: string
  code: ProblemCode
  /**
   * The same text as `detail`.
   */
  message: string
}
export interface ValidationProblem {
  /**
   * @minItems 1
   * @maxItems 20
   */
  detail: ValidationMistake[]
  code: ProblemCode
  /**
   * `detail` as one text; each mistake with its place.
   */
  message: string
}
export interface ValidationMistake {
  /**
   * Place of the mistake: body, query, path or header, then field names and array indices.
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
    /**
     * The character behind the token, from 1; in answers of the validation, where the position is known.
     */
    end?: number
  }
}
export interface RunChainedFfmpegCommandsRequest {
  /**
   * FFmpeg's arguments of each command, in the order in which they run. A later one reads an output of an earlier one as `-i {{out_1}}`. At most 65,536 bytes each.
   *
   * @minItems 1
   * @maxItems 10
   */
  ffmpeg_commands: string[]
  input_files: InputFiles
  /**
   * Not for chains: send input_files.
   */
  input_compressed_folder?: {
    [k: string]: unknown
  }
  output_files: OutputFiles
  /**
   * Seconds after which each of the commands is stopped; lowered to the plan's maximum. Waiting, fetching and storing do not count. By default 300, or the plan's maximum where that is less.
   */
  max_command_run_seconds?: number
  /**
   * CPUs for FFmpeg, the same for all commands; lowered to the plan's maximum. By default 8, or the plan's maximum where that is less.
   */
  vcpu_count?: number
  metadata?: Metadata
  /**
   * Store the outputs so that only presigned URLs open them (presigned_ttl_seconds).
   */
  is_private?: boolean
  /**
   * Order among the waiting commands of the account; other accounts are not affected. A high command passes the normal ones of the last 10 minutes, a low one is passed by those of the next 10 minutes.
   */
  priority?: 'low' | 'normal' | 'high'
  output_ttl_seconds?: OutputTtlSeconds
  presigned_ttl_seconds?: PresignedTtlSeconds
  webhook_url?: WebhookUrl
}
/**
 * One state of a command, as the stream of its events sends it.
 */
export interface CommandEvent {
  command_id: Id
  status: CommandStatus
  processing_stage: ProcessingStage | null
  progress_percent: number | null
  attempts: number
  error_status: ErrorStatus | null
  /**
   * RFC 3339, UTC, microseconds.
   */
  timestamp: string
}
/**
 * One state of a command, as the stream of the account's events sends it.
 */
export interface AccountEvent {
  command_id: Id
  status: CommandStatus
  processing_stage: ProcessingStage | null
  progress_percent: number | null
  attempts: number
  error_status: ErrorStatus | null
  /**
   * The failure in a sentence, with the end of FFmpeg's output where FFmpeg failed.
   */
  error_message: string | null
  /**
   * 1 is next in the order of the account; 1001 stands for all behind 1,000. Only while QUEUED.
   */
  queue_position: number | null
  /**
   * Same as in the record of the command.
   */
  queue_reason:
    | 'DISPATCH'
    | 'ACCOUNT_VCPUS'
    | 'ACCOUNT_JOBS'
    | 'QUOTA'
    | 'FAIR_SHARE'
    | 'CAPACITY'
    | 'POLICY'
    | 'QUOTA_OF_CLUSTER'
    | 'PAUSED'
    | 'KUEUE'
    | null
  /**
   * When it left the queue.
   */
  started_at: Time | null
  /**
   * When its outcome was recorded.
   */
  finished_at: Time | null
  steps: Step[]
  /**
   * RFC 3339, UTC, microseconds.
   */
  timestamp: string
}
/**
 * One state of a file, as the stream of the account's events sends it.
 */
export interface FileEvent {
  file_id: Id
  status: FileStatus
  /**
   * The command whose output it is.
   */
  command_id: Id | null
}
/**
 * How the time of a command was spent.
 */
export interface CommandTimeline {
  command_id: Id
  /**
   * Entries in the order of time.
   */
  waits: {
    /**
     * Same words as `queue_reason` of the record; null where it is not known, or the wait was shorter than a second. NODE and IMAGE (from the pod's sandbox to the first request of the runner, mostly the pull of the image) lie within the STARTING of an attempt, are known once it has ended and last 2 s at least. Later versions may add words.
     */
    reason:
      | 'DISPATCH'
      | 'ACCOUNT_VCPUS'
      | 'ACCOUNT_JOBS'
      | 'QUOTA'
      | 'FAIR_SHARE'
      | 'CAPACITY'
      | 'POLICY'
      | 'QUOTA_OF_CLUSTER'
      | 'PAUSED'
      | 'KUEUE'
      | 'NODE'
      | 'IMAGE'
      | null
    /**
     * The reason as a sentence about the command; null without a reason.
     */
    message: string | null
    from: Time
    to: Time | null
  }[]
  /**
   * One for each runner that was started, oldest first.
   */
  attempts: {
    attempt: number
    /**
     * RFC 3339, UTC, microseconds.
     */
    started_at: string
    finished_at: Time | null
    end: 'SUCCESS' | 'FAILED' | 'LOST' | null
    stages: {
      /**
       * STARTING lasts until the runner's first request.
       */
      stage:
        'STARTING' | 'DOWNLOADING' | 'PREPARING_INPUT_FILES' | 'FFMPEG_PROCESSING' | 'UPLOADING'
      started_at: Time
      finished_at: Time | null
      /**
       * Read while DOWNLOADING, and stored while UPLOADING, of a command that has succeeded; otherwise null.
       */
      bytes: number | null
      /**
       * Stored while UPLOADING, with all files of playlists and folders, of a command that has succeeded; otherwise null.
       */
      files: number | null
    }[]
    /**
     * Only of the last attempt.
     */
    steps: {
      index: number
      started_at: Time | null
      /**
       * `started_at` and `seconds`, at most the end of the attempt; null until the step has ended.
       */
      finished_at: Time | null
      /**
       * How long FFmpeg ran, as the runner measured it.
       */
      seconds: number | null
    }[]
  }[]
}
export interface RegisterAccountRequest {
  /**
   * Address that the token is sent to: name@domain, at most 254 characters, without display name. Capital letters make no difference.
   */
  email: string
  /**
   * Preferred name of the account; letters, digits and hyphens of it are kept. If it is absent or taken, a name is derived from the address.
   */
  name?: string
}
export interface RegistrationAccepted {
  /**
   * The account exists once the token of the mail is activated.
   */
  status: 'PENDING_ACTIVATION'
}
export interface ActivateAccountRequest {
  /**
   * The token as in the mail; blanks around it are ignored.
   */
  token: string
}
export interface ActivatedAccount {
  account_id: Id
  /**
   * Name of the account; older servers leave it out.
   */
  account?: string
  /**
   * Name of the account's plan.
   */
  plan: string
  /**
   * Pauses that concern the account, the oldest first; older servers leave it out.
   */
  pauses?: {
    /**
     * `submissions`: new commands and files; `dispatch`, `admission` or `account`: the start of commands that wait; `webhooks`: their delivery.
     */
    what: 'submissions' | 'dispatch' | 'admission' | 'webhooks' | 'account'
    /**
     * The administrator's reason.
     */
    why: string
    paused_at: Time
  }[]
  /**
   * Value of the X-API-KEY header.
   */
  api_key: string
}
export interface Webhook {
  /**
   * null while no webhook is set.
   */
  url: string | null
  events: WebhookEvent[]
  /**
   * Signs every event; `whsec_` and base64, as Standard Webhooks libraries take it.
   */
  secret: string
  created_at: Time
}
export interface PutWebhookRequest {
  /**
   * http or https URL at a public address, without user name and password. Where it leads is checked in each attempt.
   */
  url: string
  /**
   * Which events are sent.
   *
   * @minItems 1
   * @maxItems 100
   */
  events?: WebhookEvent[]
  /**
   * Make a new secret; the old one signs beside it for 24 hours.
   */
  rotate_secret?: boolean
  /**
   * Send pending events of the former URL to this one. They end as FAILED otherwise.
   */
  move_pending?: boolean
}
export interface WebhookTest {
  /**
   * The receiver answered 2xx within 15 seconds.
   */
  ok: boolean
  /**
   * null if there was no answer.
   */
  response_status: number | null
  duration_ms: number
  /**
   * Reason of a failed attempt that the status does not show.
   */
  error: string | null
}
export interface WebhookAttempt {
  at: Time
  /**
   * null if there was no answer.
   */
  response_status: number | null
  /**
   * Reason of a failed attempt that the status does not show.
   */
  error: string | null
}
export interface WebhookAttemptDetails {
  at: Time
  /**
   * null if there was no answer.
   */
  response_status: number | null
  /**
   * Reason of a failed attempt that the status does not show.
   */
  error: string | null
  /**
   * Time from the DNS lookup to the end of the answer; null where it was not measured.
   */
  duration_ms: number | null
  /**
   * The first 1,024 bytes of the answer's body; null if it was empty or is not text.
   */
  response_excerpt: string | null
}
export interface WebhookDelivery {
  /**
   * The `webhook-id` of all its attempts.
   */
  webhook_id: string
  event: WebhookEvent
  command_id: Id | null
  file_id: Id | null
  url: string
  status: WebhookDeliveryStatus
  /**
   * Oldest first.
   */
  attempts: WebhookAttempt[]
  /**
   * null once it is DELIVERED or FAILED.
   */
  next_attempt_at: Time | null
  created_at: Time
}
/**
 * A delivery with what was sent and what was answered.
 */
export interface WebhookDeliveryDetails {
  /**
   * The `webhook-id` of all its attempts.
   */
  webhook_id: string
  event: WebhookEvent
  command_id: Id | null
  file_id: Id | null
  url: string
  status: WebhookDeliveryStatus
  /**
   * null once it is DELIVERED or FAILED.
   */
  next_attempt_at: Time | null
  created_at: Time
  /**
   * Oldest first.
   */
  attempts: WebhookAttemptDetails[]
  /**
   * The bytes of all attempts; null before the first one, and for events that ended before this was kept.
   */
  body: string | null
  /**
   * Headers of the last attempt; of each signature only the beginning. null before the first attempt.
   */
  request_headers: {
    [k: string]: string
  } | null
}
export interface StoreFileRequest {
  /**
   * http or https URL of the file, at most 8,192 characters and without user name or password.
   */
  file_url: string
  /**
   * Only presigned URLs open the file (presigned_ttl_seconds).
   */
  is_private?: boolean
  presigned_ttl_seconds?: PresignedTtlSeconds
  /**
   * http or https URL that is notified at this command's end, in place of the account's.
   */
  webhook_url?: string
}
export interface FileAccepted {
  file_id: Id
}
export interface InitUploadRequest {
  /**
   * Name of the file, at most 255 bytes, without folders and control characters. In its URL other characters than letters, digits, dots, hyphens and underscores become underscores.
   */
  filename: string
  /**
   * Size of the whole file.
   */
  size_bytes: number
  /**
   * Bytes of each part but the last, by default 16 MiB; raised to 5 MiB and until 10,000 parts suffice, which the Warning header says.
   */
  part_size?: number
  /**
   * Only presigned URLs open the file (presigned_ttl_seconds).
   */
  is_private?: boolean
  /**
   * http or https URL that is notified at this command's end, in place of the account's.
   */
  webhook_url?: string
}
export interface UploadSession {
  file_id: Id
  /**
   * Bytes of each part but the last.
   */
  part_size: number
  /**
   * The first one is for part 1. Each URL accepts exactly `part_size` bytes, the last one what is left of `size_bytes`.
   *
   * @minItems 1
   * @maxItems 10000
   */
  upload_urls: string[]
  /**
   * RFC 3339, UTC, microseconds.
   */
  expires_at: string
}
export interface UploadPart {
  part_number: number
  /**
   * ETag of the answer to the PUT, with or without its quotes.
   */
  etag: string
}
export interface CompleteUploadRequest {
  /**
   * Every part from 1 on, once, in any order.
   *
   * @minItems 1
   * @maxItems 10000
   */
  parts: UploadPart[]
}
/**
 * A file's record without most of its media fields.
 */
export interface FileListItem {
  file_id: Id
  environment_name: string | null
  /**
   * URL of the file; null once it is deleted. That of a private file opens it where presigned_ttl_seconds was given, and else answers 403.
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
   * video, audio, image, subtitles, output_manifest, zip or other.
   */
  file_type: string | null
  file_format: string | null
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
export interface BulkDeleteFilesRequest {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  file_ids: Id[]
}
export interface BulkDeletedFiles {
  /**
   * The requested ids, each once.
   */
  deleted_file_ids: Id[]
}
export interface DeleteAccountRequest {
  /**
   * The name of the account, so that no request deletes one by mistake.
   */
  confirm: string
}
export interface AccountDeletion {
  account_id: Id
  status: 'DELETING'
}
/**
 * Usage and limits of an account.
 */
export interface AccountUsage {
  account_id: Id
  /**
   * Name of the account; older servers leave it out.
   */
  account?: string
  /**
   * Name of the account's plan.
   */
  plan: string
  /**
   * Pauses that concern the account, the oldest first; older servers leave it out.
   */
  pauses?: {
    /**
     * `submissions`: new commands and files; `dispatch`, `admission` or `account`: the start of commands that wait; `webhooks`: their delivery.
     */
    what: 'submissions' | 'dispatch' | 'admission' | 'webhooks' | 'account'
    /**
     * The administrator's reason.
     */
    why: string
    paused_at: Time
  }[]
  period_start: Time
  period_end: Time
  /**
   * MB of inputs and outputs of commands that ended in this period.
   */
  processing: {
    used_mbytes: number
    /**
     * Reserved by commands that have not ended; a submission is refused where used and reserved reach the limit.
     */
    reserved_mbytes: number
    limit_mbytes: number | null
  }
  /**
   * MB stored now; open uploads count with the size they announced.
   */
  storage: {
    used_mbytes: number
    /**
     * Reserved by the outputs of commands that have not ended; a submission is refused where used and reserved reach the limit.
     */
    reserved_mbytes: number
    limit_mbytes: number | null
  }
  vcpu: {
    /**
     * vCPUs of the commands that run.
     */
    in_use: number
    /**
     * vCPUs of all running commands together; further ones wait.
     */
    limit: number | null
    /**
     * Higher requests are lowered to it.
     */
    per_command: number
  }
  commands: {
    queued: number
    running: number
  }
  queue: {
    /**
     * Commands that wait.
     */
    queued: number
    /**
     * Most commands that may wait; at this number a submission is answered 429.
     */
    limit: number | null
  }
  rate: {
    submissions_per_minute: number | null
    /**
     * How many would be accepted right now.
     */
    submissions_left: number | null
  }
  limits: {
    max_command_run_seconds: number
    /**
     * Largest single input, output or upload.
     */
    max_file_mbytes: number | null
  }
  features: {
    chained: boolean
    uploads: boolean
    private: boolean
    webhooks: boolean
  }
  /**
   * Seconds after its command's end at which an output is deleted unless the command says otherwise; null keeps it.
   */
  default_output_ttl_seconds: number | null
}
/**
 * Usage of an account's commands, by hour or day.
 */
export interface UsageHistory {
  bucket: 'hour' | 'day'
  from: Time
  to: Time
  buckets: UsageBucket[]
}
/**
 * Figures of one bucket.
 */
export interface UsageBucket {
  start: Time
  /**
   * Commands that ended.
   */
  commands: {
    succeeded: number
    /**
     * Without those that were cancelled.
     */
    failed: number
    cancelled: number
  }
  /**
   * Numbers of failed commands by their error_status.
   */
  errors: {
    [k: string]: number
  }
  /**
   * MB of inputs and outputs, as the processing quota counts them.
   */
  processed_mbytes: number
  /**
   * vCPUs of the commands times the seconds from their first start to their end.
   */
  vcpu_seconds: number
  /**
   * Run time of FFmpeg.
   */
  ffmpeg_seconds: number
  /**
   * Seconds from submission to first start, of commands that started; to 5 percent. Null without such a command.
   */
  wait_seconds: {
    p50: number | null
    p95: number | null
  }
  /**
   * Most vCPUs in use at a time.
   */
  peak_vcpu: number
  /**
   * MB stored at the end of the bucket, or now; null if it is not known.
   */
  storage_mbytes: number | null
}
/**
 * A key without the key itself.
 */
export interface ApiKey {
  key_id: Id
  /**
   * Name for people.
   */
  label: string | null
  /**
   * The first 8 characters of the key; null until a key from before this field is used, and for keys in another form.
   */
  prefix: string | null
  /**
   * The key may read and validate; everything else answers 403.
   */
  read_only: boolean
  created_at: Time
  /**
   * Within a minute; null: never, or before this was recorded.
   */
  last_used_at: string | null
  /**
   * Time from which the key is refused; null: it does not expire.
   */
  expires_at: string | null
  /**
   * The key of this request.
   */
  is_this_one: boolean
}
/**
 * A new key.
 */
export interface CreatedKey {
  key_id: Id
  /**
   * Name for people.
   */
  label: string | null
  /**
   * The first 8 characters of the key; null until a key from before this field is used, and for keys in another form.
   */
  prefix: string | null
  /**
   * The key may read and validate; everything else answers 403.
   */
  read_only: boolean
  created_at: Time
  /**
   * Within a minute; null: never, or before this was recorded.
   */
  last_used_at: string | null
  /**
   * Time from which the key is refused; null: it does not expire.
   */
  expires_at: string | null
  /**
   * The key of this request.
   */
  is_this_one: boolean
  /**
   * The key, for the header X-API-KEY.
   */
  api_key: string
}
export interface CreateKeyRequest {
  /**
   * Name for people.
   */
  label: string
  /**
   * The key may read and validate; everything else answers 403.
   */
  read_only?: boolean
  /**
   * Seconds until it is refused; null: it does not expire.
   */
  expires_in_seconds?: number | null
}
/**
 * Result of a submission of a body.
 */
export interface CommandValidation {
  /**
   * Whether errors is empty.
   */
  valid: boolean
  /**
   * One element per FFmpeg command; empty where there are errors.
   */
  commands: {
    /**
     * The arguments as FFmpeg gets them, without those that the service adds.
     */
    argv: string[]
    placeholders: {
      alias: string
      /**
       * `reference`: a file that an option or filter reads.
       */
      role: 'input' | 'output' | 'reference'
      /**
       * Unit: Unicode characters of the command as sent.
       */
      position: number
    }[]
  }[]
  errors: ValidationMistake[]
  /**
   * Probable mistakes that a submission would accept.
   */
  warnings: string[]
  /**
   * After lowering to the plan's maxima.
   */
  effective: {
    vcpu_count: number
    max_command_run_seconds: number
  }
  /**
   * Why a submission would be refused with 403 now; null where it would not.
   */
  plan_error: string | null
}
export interface Requests {
  runFfmpegCommand: {
    path: {}
    query: {}
    body: RunFfmpegCommandRequest
  }
  listCommands: {
    path: {}
    query: {
      limit?: number
      offset?: number
      status?: string
      error_status?: string
      created_after?: TimeParameter
      created_before?: TimeParameter
      metadata?: {
        [k: string]: string
      }
      search?: string
      before_id?: Id
      expand?: string
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
  runChainedFfmpegCommands: {
    path: {}
    query: {}
    body: RunChainedFfmpegCommandsRequest
  }
  cancelCommand: {
    path: {
      command_id: Id
    }
    query: {}
  }
  getCommandLogs: {
    path: {
      command_id: Id
    }
    query: {
      step?: number | null
      follow?: boolean
      tail?: number
      levels?: boolean
    }
  }
  getCommandTimeline: {
    path: {
      command_id: Id
    }
    query: {}
  }
  getCommandEvents: {
    path: {
      command_id: Id
    }
    query: {}
  }
  getEvents: {
    path: {}
    query: {
      files?: boolean
    }
  }
  registerAccount: {
    path: {}
    query: {}
    body: RegisterAccountRequest
  }
  activateAccount: {
    path: {}
    query: {}
    body: ActivateAccountRequest
  }
  getWebhook: {
    path: {}
    query: {}
  }
  putWebhook: {
    path: {}
    query: {}
    body: PutWebhookRequest
  }
  deleteWebhook: {
    path: {}
    query: {}
  }
  testWebhook: {
    path: {}
    query: {}
  }
  listWebhookDeliveries: {
    path: {}
    query: {
      limit?: number
      offset?: number
      status?: WebhookDeliveryStatus
      event?: WebhookEvent
      command_id?: Id
    }
  }
  getWebhookDelivery: {
    path: {
      webhook_id: string
    }
    query: {}
  }
  redeliverWebhook: {
    path: {
      webhook_id: string
    }
    query: {}
  }
  storeFile: {
    path: {}
    query: {}
    body: StoreFileRequest
  }
  initUpload: {
    path: {}
    query: {}
    body: InitUploadRequest
  }
  completeUpload: {
    path: {
      file_id: string
    }
    query: {}
    body: CompleteUploadRequest
  }
  abortUpload: {
    path: {
      file_id: string
    }
    query: {}
  }
  listFiles: {
    path: {}
    query: {
      limit?: number
      offset?: number
      status?: FileStatus
      file_type?: string
      kind?: string
      command_id?: Id
      created_after?: TimeParameter
      created_before?: TimeParameter
      before_id?: Id
    }
  }
  getFile: {
    path: {
      file_id: Id
    }
    query: {
      presigned_ttl_seconds?: number | null
      download?: boolean
    }
  }
  deleteFile: {
    path: {
      file_id: Id
    }
    query: {}
  }
  deleteCommandFiles: {
    path: {
      command_id: string
    }
    query: {}
  }
  getFilePlaylist: {
    path: {
      file_id: Id
    }
    query: {
      presigned_ttl_seconds?: number
      path?: string
    }
  }
  bulkDeleteFiles: {
    path: {}
    query: {}
    body: BulkDeleteFilesRequest
  }
  deleteAccount: {
    path: {}
    query: {}
    body: DeleteAccountRequest
  }
  getUsage: {
    path: {}
    query: {}
  }
  getUsageHistory: {
    path: {}
    query: {
      from?: TimeParameter
      to?: TimeParameter
      bucket?: 'hour' | 'day'
    }
  }
  listKeys: {
    path: {}
    query: {}
  }
  createKey: {
    path: {}
    query: {}
    body: CreateKeyRequest
  }
  revokeKey: {
    path: {
      key_id: Id
    }
    query: {}
  }
  validateFfmpegCommand: {
    path: {}
    query: {
      schema_errors?: boolean
    }
    body: ValidateFfmpegCommandRequest
  }
}
export interface Answers {
  runFfmpegCommand: CommandAccepted
  listCommands: CommandListItem[]
  getCommand: CommandStatusRecord
  runChainedFfmpegCommands: CommandAccepted
  cancelCommand: CommandStatusRecord
  getCommandLogs: string
  getCommandTimeline: CommandTimeline
  getCommandEvents: string
  getEvents: string
  registerAccount: RegistrationAccepted
  activateAccount: ActivatedAccount
  getWebhook: Webhook
  putWebhook: Webhook
  deleteWebhook: null
  testWebhook: WebhookTest
  listWebhookDeliveries: WebhookDelivery[]
  getWebhookDelivery: WebhookDeliveryDetails
  redeliverWebhook: WebhookDelivery
  storeFile: FileAccepted
  initUpload: UploadSession
  completeUpload: FileRecord
  abortUpload: FileRecord
  listFiles: FileListItem[]
  getFile: FileRecord
  deleteFile: null
  deleteCommandFiles: null
  getFilePlaylist: string
  bulkDeleteFiles: BulkDeletedFiles
  deleteAccount: AccountDeletion
  getUsage: AccountUsage
  getUsageHistory: UsageHistory
  listKeys: ApiKey[]
  createKey: CreatedKey
  revokeKey: null
  validateFfmpegCommand: CommandValidation
}

/** A request once it is checked: defaults are filled in. */
type Checked<Sent, Filled extends keyof Sent> = Sent & Required<Pick<Sent, Filled>>
