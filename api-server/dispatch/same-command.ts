import { isDeepStrictEqual } from 'node:util'
import type { FfmpegCommandSpec } from '../../crds/ffmpegcommand.ts'

/**
 * Whether an object found under our name is the one that we would have made. A name alone proves
 * nothing: whoever may create objects in the namespace can take it first. Fields that we do not
 * write are left out: `cancel`, and what another version's schema adds.
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

/** Objects without a prototype, as parsers make them, are no less equal. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : value
}
