import type { FfmpegCommandSpec } from '../../../crds/ffmpegcommand.ts'

/** Holds the whole request: the form of an object that a user applies, and of short commands. */
export type InlineSpec = FfmpegCommandSpec & {
  readonly commands: NonNullable<FfmpegCommandSpec['commands']>
}

/** Refers to the request in the row, which is too large for etcd; only dispatch creates it. */
export type ReferringSpec = FfmpegCommandSpec & {
  readonly commandId: string
  readonly request: NonNullable<FfmpegCommandSpec['request']>
}

export function isInline(spec: FfmpegCommandSpec): spec is InlineSpec {
  return spec.commands !== undefined
}

export function isReferring(spec: FfmpegCommandSpec): spec is ReferringSpec {
  return spec.commands === undefined && spec.request !== undefined && spec.commandId !== undefined
}
