import { isDeepStrictEqual } from 'node:util'
import type { FfmpegCommandSpec } from '../../crds/ffmpegcommand.ts'

/**
 * Whether the object found under a command's name is the one that we would have created. The name
 * alone proves nothing: every client that may create objects in the namespace can take it first.
 * The comparison ignores `cancel`, what the schema of another version adds, and `priority`, which the
 * schema of the release before removes.
 */
export function isSameCommand(wanted: FfmpegCommandSpec, found: FfmpegCommandSpec): boolean {
  return specFields.every((field) => isDeepStrictEqual(wanted[field], plain(found[field])))
}

const specFields = [
  'commandId',
  'account',
  'environmentName',
  'commands',
  'inputFiles',
  'inputCompressedFolder',
  'outputFiles',
  'outputFolder',
  'vcpuCount',
  'maxRunSeconds',
  'private',
] as const satisfies readonly (keyof FfmpegCommandSpec)[]

/** A copy with the usual prototype: parsers may create objects without one, which compare as unequal. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : value
}
