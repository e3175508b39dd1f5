// Generated from common/gateway/messages.schema.json by 'npm run generate'.

/**
 * Relative to the attempt's prefix. FFmpeg names most of these files; what transfer's storable-path.ts lets pass.
 */
export type StoredPath = string
/**
 * Answer to a result or to the loss of the ffmpeg container: the recorded outcome. `again`: none is recorded, exit so that the Job tries once more. `differs`: none is recorded, store these objects again and report again.
 */
export type Verdict = RecordedVerdict | AgainVerdict | DiffersVerdict

/**
 * Messages between a runner and the runner gateway. The attempt is never in a message: the gateway reads it from the pod's signed identity.
 */
export interface GatewayMessages {
  assignment?: Assignment
  elsewhere?: Elsewhere
  progress?: ProgressReport
  progressAnswer?: ProgressAnswer
  uploads?: UploadRequest
  uploadsAnswer?: UploadGrants
  parts?: PartsRequest
  partsAnswer?: PartsGrant
  complete?: CompleteRequest
  completeAnswer?: CompleteAnswer
  result?: Result
  lost?: FfmpegContainerLost
  verdict?: Verdict
}
/**
 * Answer of GET /v1/assignment: all that one attempt needs to know. Idempotent.
 */
export interface Assignment {
  commandId: string
  /**
   * Empty where a file is to be stored or probed.
   */
  commands: string[]
  inputs: InputSource[]
  inputFolder: InputSource | null
  /**
   * Alias to file name; null for OUTPUT_FOLDER.
   */
  outputs: {
    [k: string]: string
  } | null
  vcpuCount: number
  /**
   * Run cap of each FFmpeg command.
   */
  maxRunSeconds: number
  limits: {
    /**
     * Largest single input or output; null = no limit.
     */
    fileBytes: number | null
    scratchBytes: number
    fileCount: number
    /**
     * FFmpeg's -max_pixels for every input.
     */
    maxPixels: number
    /**
     * Allowance for fetching and storing together.
     */
    transferSeconds: number
  }
  /**
   * Bytes that may be moved while FFmpeg runs, where it is safe.
   */
  overlap: {
    /**
     * FFmpeg may start before its input is complete.
     */
    inputs: boolean
    /**
     * Files that FFmpeg has finished writing may be stored before it ends.
     */
    outputs: boolean
  }
  /**
   * Origin of the storage: the runner may open a connection before it has a URL.
   */
  storageOrigin?: string
  /**
   * A stored file to work on in place of a command; null = a command.
   */
  file: StoreFile | AnalyseFile | null
  /**
   * The guard of outbound fetches. Allow entries beat the built-in refusals, deny entries beat everything.
   */
  network: {
    allowCidrs: string[]
    denyCidrs: string[]
    /**
     * host:port of our own services; names are resolved by the runner.
     */
    denyEndpoints: string[]
  }
}
export interface InputSource {
  alias: string
  /**
   * URL as the client sent it; error messages and file names derive from it.
   */
  url: string
  /**
   * A presigned URL where `url` is a file of our own storage; it is fetched in place of `url`, without the guard.
   */
  stored: string | null
  /**
   * `url` lies in our own storage, but no file of this account is there: it must not be fetched, even if it is public.
   */
  missing?: boolean
}
/**
 * Fetch, probe and store.
 */
export interface StoreFile {
  kind: 'store'
  source: InputSource
}
/**
 * Probe what is stored already.
 */
export interface AnalyseFile {
  kind: 'analyse'
  /**
   * Name that the client gave; its extension is one of FFmpeg's hints.
   */
  name: string
  /**
   * Presigned.
   */
  url: string
  sizeBytes: number
  /**
   * A file up to this size is fetched whole, of a larger one only its beginning and end.
   */
  fullFetchBytes: number
}
/**
 * Answer of GET /v1/assignment?waited=SECONDS to a pod that waits for a command, from a replica that does not lead. The leader holds the request and answers 204, or with the assignment.
 */
export interface Elsewhere {
  kind: 'elsewhere'
  /**
   * IP:PORT of the leader.
   */
  address: string
}
/**
 * POST /v1/progress, at most once a second.
 */
export interface ProgressReport {
  status: 'PROCESSING' | 'PREPARED_FFMPEG_COMMAND'
  stage: 'DOWNLOADING' | 'PREPARING_INPUT_FILES' | 'FFMPEG_PROCESSING' | 'UPLOADING'
  progressPercent: number | null
  /**
   * @maxItems 10
   */
  steps: Step[]
  /**
   * @maxItems 100
   */
  logs: LogChunk[]
}
export interface Step {
  index: number
  status: 'QUEUED' | 'PROCESSING' | 'SUCCESS' | 'FAILED' | 'SKIPPED'
  progress_percent: number | null
  ffmpeg_command_run_seconds: number | null
  exit_code: number | null
}
export interface LogChunk {
  step: number
  /**
   * Counts up per attempt, so that a repeated report stores nothing twice.
   */
  sequence: number
  text: string
}
export interface ProgressAnswer {
  /**
   * The command is to be stopped: kill FFmpeg and report.
   */
  cancel: boolean
}
/**
 * POST /v1/uploads. Paths are relative to the attempt's prefix.
 */
export interface UploadRequest {
  /**
   * @minItems 1
   * @maxItems 100
   */
  files: {
    path: StoredPath
    /**
     * null = not known yet, the file grows: it is uploaded in parts at any size.
     */
    sizeBytes: number | null
    /**
     * Ignored, as attachment is: the gateway takes both from the name. Runners of an earlier release send them.
     */
    contentType?: string
    attachment?: boolean
  }[]
}
export interface UploadGrants {
  /**
   * Order of the request.
   */
  grants: (SingleGrant | MultipartGrant)[]
}
export interface SingleGrant {
  kind: 'single'
  path: string
  url: string
  /**
   * Signed headers that the PUT must carry.
   */
  headers: {
    [k: string]: string
  }
}
export interface MultipartGrant {
  kind: 'multipart'
  path: string
  uploadId: string
  /**
   * Size of every part but the last.
   */
  partBytes: number
  /**
   * URLs of the first parts, at most 100; more by POST /v1/uploads/parts.
   */
  urls: string[]
}
/**
 * POST /v1/uploads/parts: fresh URLs for parts of an upload under way.
 */
export interface PartsRequest {
  path: StoredPath
  uploadId: string
  /**
   * @minItems 1
   * @maxItems 100
   */
  partNumbers: number[]
  /**
   * Bytes of each part, signed with its URL.
   *
   * @minItems 1
   * @maxItems 100
   */
  sizes: number[]
}
export interface PartsGrant {
  urls: string[]
}
/**
 * POST /v1/uploads/complete: answers once the object exists with this size, also when repeated.
 */
export interface CompleteRequest {
  path: StoredPath
  uploadId: string
  sizeBytes: number
  /**
   * @minItems 1
   * @maxItems 10000
   */
  parts: {
    partNumber: number
    etag: string
  }[]
}
/**
 * Answer to /v1/uploads/complete; an earlier release answers 204.
 */
export interface CompleteAnswer {
  /**
   * Without quotes.
   */
  etag: string
}
/**
 * POST /v1/result, the end of an attempt.
 */
export interface Result {
  outcome: Success | FailureReport
  /**
   * @maxItems 10
   */
  steps: Step[]
  usage: Usage
  /**
   * @maxItems 100
   */
  logs: LogChunk[]
}
export interface Success {
  status: 'SUCCESS'
  /**
   * @maxItems 201
   */
  files: OutputFile[]
  /**
   * Results that differ from the intention; absent: nothing, or a runner of an earlier release.
   *
   * @maxItems 20
   */
  warnings?: Warning[]
  /**
   * All objects of these files, which the gateway compares with the storage; absent: a runner of an earlier release.
   */
  objects?: ReportedObject[]
  /**
   * The objects that differed were stored a second time: a difference is final now.
   */
  storedAgain?: boolean
}
export interface OutputFile {
  /**
   * The request's alias, or OUTPUT_FOLDER.
   */
  alias: string
  /**
   * Relative to the attempt's prefix.
   */
  path: string
  /**
   * A playlist: all its files; a folder: before zipping.
   */
  sizeBytes: number
  /**
   * A folder's zip; null for anything else.
   */
  compressedBytes: number | null
  /**
   * Files of a playlist or folder; null for a single file.
   */
  fileCount: number | null
  media: MediaFacts
}
/**
 * Findings of ffprobe, in the words of the stored file record; null where it does not apply or could not be probed.
 */
export interface MediaFacts {
  /**
   * Seconds.
   */
  duration: number | null
  file_type: string | null
  file_format: string | null
  width: number | null
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
   * Bits per second / 1024.
   */
  bitrate_video_kb: number | null
  /**
   * Bits per second / 1024.
   */
  bitrate_audio_kb: number | null
  video_profile_level: string | null
  is_varying_frame_rate: boolean | null
}
export interface Warning {
  code: string
  message: string
  /**
   * The input or output that it is about; null: the whole command.
   */
  alias: string | null
}
/**
 * An object as the runner has stored it.
 */
export interface ReportedObject {
  path: StoredPath
  sizeBytes: number
  /**
   * Without quotes; null = not known.
   */
  etag: string | null
}
export interface FailureReport {
  status: 'FAILED'
  errorStatus: string
  errorMessage: string
}
export interface Usage {
  /**
   * Fetched; archives unpacked.
   */
  inputBytes: number
  outputBytes: number
  ffmpegStarted: boolean
  /**
   * Sum over the steps; null when FFmpeg never ran.
   */
  ffmpegRunSeconds: number | null
}
/**
 * POST /v1/ffmpeg-container-lost: the socket to the ffmpeg container dropped. The gateway answers once the pod's status says why.
 */
export interface FfmpegContainerLost {
  /**
   * @maxItems 10
   */
  steps: Step[]
  usage: Usage
  /**
   * @maxItems 100
   */
  logs: LogChunk[]
}
export interface RecordedVerdict {
  kind: 'recorded'
  status: 'SUCCESS' | 'FAILED'
  errorStatus: string | null
}
export interface AgainVerdict {
  kind: 'again'
}
export interface DiffersVerdict {
  kind: 'differs'
  paths: StoredPath[]
}
