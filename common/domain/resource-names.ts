import { createHash } from 'node:crypto'
import type { WorkType } from './states.ts'

export const apiGroup = 'cloudffmpeg.dev'
export const apiVersion = 'v1alpha1'
export const commandKind = 'FfmpegCommand'
export const commandPlural = 'ffmpegcommands'
export const storedFileKind = 'StoredFile'
export const storedFilePlural = 'storedfiles'

/** The kinds of custom resources that stand for work. */
export type WorkKind = typeof commandKind | typeof storedFileKind

export function workKind(commandType: WorkType): WorkKind {
  return commandType === 'STORED_FILE' ? storedFileKind : commandKind
}

/** Held by a command's custom resource until its outcome is recorded and its quota released. */
export const recordFinalizer = `${apiGroup}/record`

export const labels = {
  commandId: `${apiGroup}/command-id`,
  account: `${apiGroup}/account`,
  jobGeneration: `${apiGroup}/round`,
  /** On warm runners: the hash of the settings that they were made from. */
  pool: `${apiGroup}/pool`,
  /** On warm runners: `waiting`, or `bound` to a command. */
  warmRunner: `${apiGroup}/standby`,
  /** On Jobs and pods: the profile that they were made by. */
  profile: `${apiGroup}/profile`,
  managedBy: 'app.kubernetes.io/managed-by',
} as const

/** On Jobs: the hash of the command's spec, so that a foreign Job under our name is recognised. */
export const specHashAnnotation = `${apiGroup}/spec-hash`

/** On FfmpegCommands and StoredFiles: `true` keeps the object after its end. */
export const keepAnnotation = `${apiGroup}/keep`

/** On custom resources that dispatch creates: the proof of it. */
export const markAnnotation = `${apiGroup}/mark`

/** On pods: the working disk that they were made with. */
export const scratchAnnotation = `${apiGroup}/scratch-mbytes`

/** On the Lease: where its holder's gateway listens, and the identity of the holder that wrote it. */
export const gatewayAnnotation = `${apiGroup}/gateway`
/** On Jobs of bound warm runners: their template shows the size of the warm runner. */
export const vcpuCountAnnotation = `${apiGroup}/vcpu-count`

export const managedBy = 'cloud-ffmpeg'

/** Lease that dispatch writes to see whether etcd takes writes; it elects nothing. */
export const dispatchLeaseName = 'cloud-ffmpeg-dispatch'

/** Audience of the projected token that `transfer` shows to the runner gateway. */
export const gatewayAudience = 'cloud-ffmpeg-gateway'

export const warmRunnerPrefix = 'ffw'

const prefixes = { [commandKind]: 'ffc', [storedFileKind]: 'sf' } as const

/** The name is a function of the id, so creating twice finds the first one's work. */
export function customResourceName(commandId: string, kind: WorkKind = commandKind): string {
  return `${prefixes[kind]}-${commandId}`
}

/** At most 45 characters, so that pod names and label values stay within 63. */
export function jobName(
  commandId: string,
  jobGeneration: number,
  kind: WorkKind = commandKind,
): string {
  return `${prefixes[kind]}-${commandId}-${jobGeneration}`
}

/** A number is used once, ever: the database refuses the second binding of a Job's name. */
export function warmRunnerJobName(hash: string, number: number): string {
  return `${warmRunnerPrefix}-${hash}-${number}`
}

/** The settings that a warm runner's Job was made from, by its name. */
export function poolHashOf(warmRunnerJob: string): string {
  return warmRunnerJob.split('-')[1] ?? ''
}

/** Label values hold at most 63 characters of a small alphabet; what does not fit is hashed. */
export function labelValue(text: string): string {
  return /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(text)
    ? text
    : createHash('sha256').update(text).digest('hex').slice(0, 40)
}
