// Generated from charts/cloud-ffmpeg/files/crds/storedfile.yaml by 'npm run generate'.

/**
 * One file to store: it is fetched from a URL, or was uploaded, and FFmpeg looks at what it holds. The object is removed a short time after that is recorded; the file stays, and its record is in the REST API.
 */
export interface StoredFileBody {
  /**
   * Version of this kind, cloudffmpeg.dev/v1alpha1.
   */
  apiVersion?: string
  /**
   * StoredFile.
   */
  kind?: string
  metadata?: {
    [k: string]: unknown
  }
  spec: StoredFileSpec
  status?: StoredFileStatus
}
/**
 * File to store. Immutable but for cancel.
 */
export interface StoredFileSpec {
  /**
   * Id of the REST API's file. Set by the service alone: leave it out when you apply a file by hand, its id is then the object's UID.
   */
  fileId?: string
  /**
   * Name of the account whose plan and storage the file uses.
   */
  account?: string
  /**
   * Free text copied into the file's record.
   */
  environmentName?: string
  /**
   * Place of the bytes, exactly one of url and upload.
   */
  source: {
    /**
     * An http or https URL, without user name and password.
     */
    url?: string
    /**
     * A file uploaded by the REST API. Set by the service alone.
     */
    upload?: {
      /**
       * Key of its object in the storage.
       */
      key: string
      /**
       * Name as it was uploaded.
       */
      name: string
    }
  }
  /**
   * Store the file so that only presigned URLs open it.
   */
  private?: boolean
  /**
   * Set to true to stop. It cannot be taken back.
   */
  cancel?: boolean
}
/**
 * State of the file. Written by the operator alone.
 */
export interface StoredFileStatus {
  /**
   * Generation of the spec that this status reflects.
   */
  observedGeneration?: number
  /**
   * State in the words of the REST API; STORED and FAILED are final.
   */
  state?: 'QUEUED' | 'DOWNLOADING' | 'DOWNLOADED' | 'UPLOADED' | 'STORED' | 'FAILED'
  /**
   * Reason of the condition that matters now.
   */
  reason?: string
  /**
   * That reason in a sentence.
   */
  message?: string
  /**
   * video, image, audio, subtitles, zip, output_manifest or other; absent while unknown.
   */
  fileType?: string
  /**
   * Size of the stored file.
   */
  sizeBytes?: number
  /**
   * Storage URL.
   */
  url?: string
  /**
   * UID of the pod that holds the file.
   */
  attempt?: string
  /**
   * Pods that were given the file so far.
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
   * When the file was accepted.
   */
  queuedAt?: string
  /**
   * When a runner took the file.
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
   * Longest life of a pod.
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
   * Admitted, Running, Complete (True after a success), Failed (True after a failure), Finished (True after either, its reason tells which: Stored, or the kind of failure), Recorded, and Reconciling and Stalled for generic tools. Scripts wait for Finished and then read status.state.
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
