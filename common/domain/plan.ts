// Generated from common/domain/plans.schema.json by 'npm run generate'.

/**
 * Limits of the accounts of a plan; one that is left out or null does not apply. 1 GB = 1,024 MB = 1,073,741,824 bytes.
 */
export interface Plan {
  /**
   * MB of inputs and outputs per calendar month (UTC).
   */
  processingMbytes: number | null
  /**
   * MB stored at a time.
   */
  storageMbytes: number | null
  /**
   * Most vCPUs of one command.
   */
  vcpuPerCommand: number
  /**
   * vCPUs of the account's running commands together.
   */
  vcpuTotal: number | null
  /**
   * Part of the cluster beside other accounts: weight 4 gets four times that of weight 1.
   */
  weight: number
  /**
   * Jobs of the account's commands at a time.
   */
  maxJobs: number | null
  /**
   * Jobs of the account that store or analyse files at a time; they use none of vcpuTotal.
   */
  fileJobs: number | null
  /**
   * Most seconds of one FFmpeg command.
   */
  maxRunSeconds: number
  /**
   * Accepted submissions a minute.
   */
  submissionsPerMinute: number | null
  /**
   * Reads a minute.
   */
  readsPerMinute: number | null
  /**
   * Most commands that wait; a chain counts once.
   */
  maxQueued: number | null
  /**
   * Most stored files that wait.
   */
  maxQueuedFiles: number | null
  /**
   * Open streams at one API server.
   */
  streams: number | null
  /**
   * Largest single input or output, MB.
   */
  maxFileMbytes: number | null
  /**
   * Working disk of one command, MB; without it, and at most, that of the runner (runner.scratchMbytes).
   */
  scratchMbytes: number | null
  /**
   * Profile of its runners, one of runner.profiles.
   */
  profile: string | null
  /**
   * Whether its accounts may chain commands.
   */
  chained: boolean
  /**
   * Whether its accounts may upload files.
   */
  uploads: boolean
  /**
   * Whether its accounts may keep outputs private.
   */
  private: boolean
  /**
   * Whether its accounts may use webhooks.
   */
  webhooks: boolean
  /**
   * Commands may be given to runners that wait (runner.warm).
   */
  warm: boolean
  retention: Retention
}
/**
 * Days until data is deleted; what is left out is kept.
 */
export interface Retention {
  /**
   * Records of commands and of failed files, from the submission on; a record stays while a file of it is listed.
   */
  recordsDays: number | null
  /**
   * Requests with their URLs and command text.
   */
  originalsDays: number | null
  /**
   * FFmpeg's logs.
   */
  logsDays: number | null
  /**
   * Longest time that a file is kept, for files stored from now on.
   */
  filesDays: number | null
}
