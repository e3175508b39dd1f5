// Generated from charts/cloud-ffmpeg/files/crds/ffmpegcommand.yaml by 'npm run generate'.

/**
 * One FFmpeg command, or a chain of up to ten that share one pod and its files. It runs once and is removed a short time after its outcome is recorded; the history is in the REST API.
 */
export interface FfmpegCommandBody {
  /**
   * Version of this kind, cloudffmpeg.dev/v1alpha1.
   */
  apiVersion?: string
  /**
   * FfmpegCommand.
   */
  kind?: string
  metadata?: {
    [k: string]: unknown
  }
  spec: FfmpegCommandSpec
  status?: FfmpegCommandStatus
}
/**
 * Work to run: commands with their files, or, of a command of the REST API that takes more than 8 KiB in the cluster, a request that refers to its record. Immutable but for cancel. An object that you apply may take 256 KiB in the cluster, annotations included, where each of the characters &, < and > takes six bytes.
 */
export interface FfmpegCommandSpec {
  /**
   * Id of the REST API's command. Set by the service alone: leave it out when you apply a command by hand, its id is then the object's UID.
   */
  commandId?: string
  /**
   * Name of the account whose quota, plan and storage the command uses.
   */
  account?: string
  /**
   * Free text copied into the command's record.
   */
  environmentName?: string
  /**
   * FFmpeg arguments without the program's name. Inputs and outputs are written as placeholders, two curly brackets around an alias. Several strings run in this order in one pod; later ones may read what earlier ones wrote.
   *
   * @minItems 1
   * @maxItems 10
   */
  commands?: string[]
  /**
   * Alias (in_...) to an http or https URL, or to a file stored by the service.
   */
  inputFiles?: {
    [k: string]: string
  }
  /**
   * URL of one zip archive. It is unpacked into the working directory and the command names its files without placeholders. For a single command only.
   */
  inputCompressedFolder?: string
  /**
   * Alias (out_...) to the name of the file to create. Playlists use aliases that start with out_playlist_ and names that end in .m3u8 or .mpd. {} where every output of the commands is the null sink, -f null -, and the logs are the result.
   */
  outputFiles?: {
    [k: string]: string
  }
  /**
   * Store every file that the command creates, as one zip archive.
   */
  outputFolder?: boolean
  /**
   * CPUs of the ffmpeg container; lowered to the plan's maximum.
   */
  vcpuCount?: number
  /**
   * Seconds after which an FFmpeg command is stopped, each of a chain by itself. Queueing, fetching and storing do not count. Lowered to the plan's maximum.
   */
  maxRunSeconds?: number
  /**
   * Refers to the command's record, which holds commands and files. Set by the service alone; 'cloud-ffmpeg show ID' prints the whole command.
   */
  request?: {
    /**
     * Digest of the commands and files in the record.
     */
    sha256: string
    /**
     * Their size in bytes of JSON.
     */
    bytes: number
    /**
     * FFmpeg commands.
     */
    commands: number
    /**
     * Inputs; a zip archive is one.
     */
    inputs: number
    /**
     * Named outputs; an output folder is one.
     */
    outputs: number
  }
  /**
   * The beginning of what request refers to, for people. Set by the service alone.
   */
  preview?: {
    /**
     * The beginning of each FFmpeg command.
     *
     * @maxItems 10
     */
    commands?: string[]
    /**
     * Alias, host and last segment of the path of the first inputs.
     *
     * @maxItems 8
     */
    inputs?: string[]
    /**
     * Alias and name of the first outputs.
     *
     * @maxItems 8
     */
    outputs?: string[]
  }
  /**
   * Store the outputs so that only presigned URLs open them.
   */
  private?: boolean
  /**
   * Order among the waiting commands of the account; other accounts are not affected. A high command passes the normal ones of the last 10 minutes, a low one is passed by those of the next 10 minutes.
   */
  priority?: 'low' | 'normal' | 'high'
  /**
   * Set to true to stop the command. It cannot be taken back.
   */
  cancel?: boolean
}
/**
 * State of the command. Written by the operator alone.
 */
export interface FfmpegCommandStatus {
  /**
   * Generation of the spec that this status reflects.
   */
  observedGeneration?: number
  /**
   * State in the words of the REST API; SUCCESS and FAILED are final.
   */
  state?: 'QUEUED' | 'PROCESSING' | 'PREPARED_FFMPEG_COMMAND' | 'SUCCESS' | 'FAILED'
  /**
   * Current activity of the runner; absent while queued and at the end.
   */
  stage?: 'DOWNLOADING' | 'PREPARING_INPUT_FILES' | 'FFMPEG_PROCESSING' | 'UPLOADING'
  /**
   * Reason of the condition that matters now.
   */
  reason?: string
  /**
   * That reason in a sentence.
   */
  message?: string
  /**
   * 0 to 99 while running, 100 on SUCCESS; absent while unknown. Written at most every 10 s.
   */
  progressPercent?: number
  /**
   * One entry per FFmpeg command.
   *
   * @maxItems 10
   */
  steps?: {
    /**
     * Place among the FFmpeg commands, from 0.
     */
    index: number
    /**
     * State of this FFmpeg command.
     */
    status: 'QUEUED' | 'PROCESSING' | 'SUCCESS' | 'FAILED' | 'SKIPPED'
    /**
     * Same as above, for this FFmpeg command.
     */
    progressPercent?: number
    /**
     * Seconds that FFmpeg ran.
     */
    runSeconds?: number
    /**
     * FFmpeg's exit code.
     */
    exitCode?: number
  }[]
  /**
   * UID of the pod that holds the command.
   */
  attempt?: string
  /**
   * Pods that were given the command so far.
   */
  attempts?: number
  /**
   * The Job of the current generation.
   */
  jobName?: string
  /**
   * How its attempt began; Warm where a runner waited for it, Cold where one was made for it.
   */
  start?: 'Warm' | 'Cold'
  /**
   * Place in the account's queue, 1 is next; only while QUEUED.
   */
  queuePosition?: number
  /**
   * CPUs of the ffmpeg container; spec.vcpuCount, or the plan's maximum where that is less.
   */
  vcpuCount?: number
  /**
   * When the command was accepted.
   */
  queuedAt?: string
  /**
   * When a runner took the command.
   */
  startedAt?: string
  /**
   * When the outcome was recorded.
   */
  finishedAt?: string
  /**
   * A runner has to start within this long after admission.
   */
  startAllowanceSeconds?: number
  /**
   * Longest life of a pod; backs up the run cap.
   */
  podDeadlineSeconds?: number
  /**
   * Longest life of the Job over all its pods.
   */
  jobDeadlineSeconds?: number
  /**
   * Kind of failure, one word of the REST API's closed list.
   */
  errorStatus?: string
  /**
   * Error, in a sentence.
   */
  errorMessage?: string
  /**
   * Stored outputs.
   */
  outputs?: {
    /**
     * Stored outputs; a playlist or folder is one.
     */
    count?: number
    /**
     * Their size together.
     */
    bytes?: number
    /**
     * Storage URL of the first output.
     */
    firstUrl?: string
    /**
     * The first ten outputs, in the order of the REST API.
     *
     * @maxItems 10
     */
    files?: {
      /**
       * Placeholder, or OUTPUT_FOLDER.
       */
      alias: string
      /**
       * Storage URL; a private output's opens with a presigned one of the REST API only.
       */
      url: string
    }[]
    /**
     * Outputs that are not listed here; the REST API has them all.
     */
    more?: number
  }
  /**
   * Admitted, Running, Complete (True after a success), Failed (True after a failure), Finished (True after either, its reason tells which: Succeeded, or the kind of failure), Recorded, and Reconciling and Stalled for generic tools. Scripts wait for Finished and then read status.state.
   *
   * @maxItems 8
   */
  conditions?: {
    /**
     * Name of the condition.
     */
    type: string
    /**
     * Whether it holds.
     */
    status: 'True' | 'False' | 'Unknown'
    /**
     * Why, as one word for programs.
     */
    reason: string
    /**
     * Why, as a sentence for people.
     */
    message: string
    /**
     * When the status last changed.
     */
    lastTransitionTime: string
    /**
     * Generation of the spec that the condition reflects.
     */
    observedGeneration?: number
  }[]
}
