import { createHash } from 'node:crypto'
import type { CommandSource } from '../common/store/commands.ts'
import type { FfmpegCommandSpec } from '../crds/ffmpegcommand.ts'

/** What a command runs, wherever it is written down. */
export interface RunnableSpec {
  readonly source: CommandSource
  readonly vcpuCount: number
  readonly maxRunSeconds: number
  readonly isPrivate: boolean
}

/**
 * The same for a row and for the custom resource made from it. Names alone do not prove that an
 * object is ours: anybody who may create objects can take a name first.
 */
export function specHash({ source, vcpuCount, maxRunSeconds, isPrivate }: RunnableSpec): string {
  const text = JSON.stringify([
    source.commands,
    sorted(source.inputFiles),
    source.inputCompressedFolder,
    sorted(source.outputFiles),
    vcpuCount,
    maxRunSeconds,
    isPrivate,
  ])
  return createHash('sha256').update(text).digest('hex').slice(0, 40)
}

/** Absent fields have the defaults of the CRD, in case the API server did not fill them in. */
export function runnableSpec(spec: FfmpegCommandSpec): RunnableSpec {
  return {
    source: {
      commands: spec.commands,
      inputFiles: spec.inputFiles ?? null,
      inputCompressedFolder: spec.inputCompressedFolder ?? null,
      outputFiles: spec.outputFiles ?? null,
    },
    vcpuCount: spec.vcpuCount ?? 8,
    maxRunSeconds: spec.maxRunSeconds ?? 300,
    isPrivate: spec.private ?? false,
  }
}

/** Postgres' jsonb and etcd both reorder keys. */
function sorted(map: Readonly<Record<string, string>> | null): [string, string][] | null {
  return map === null ? null : Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
