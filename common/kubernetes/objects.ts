import type { FfmpegCommandSpec, FfmpegCommandStatus } from '../../crds/ffmpegcommand.ts'

/** What we read of `metadata`, with times as the text that the API server sends. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly finalizers?: string[]
  readonly labels?: Record<string, string>
  readonly annotations?: Record<string, string>
  readonly ownerReferences?: OwnerReference[]
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
}

export interface FfmpegCommand {
  readonly metadata: ObjectMeta
  readonly spec: FfmpegCommandSpec
  readonly status?: FfmpegCommandStatus
}
