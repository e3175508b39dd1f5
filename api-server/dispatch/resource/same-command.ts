import { isDeepStrictEqual } from 'node:util'
import type { FfmpegCommandSpec } from '../../../crds/ffmpegcommand.ts'
import { customResourceFor, referringResourceFor } from './to-custom-resource.ts'
import type { ResourceSource } from './to-custom-resource.ts'

/**
 * Whether the object found under a row's name is one that dispatch creates of it, in either form:
 * while programs are replaced, a crashed dispatcher and the next one may choose different forms. The
 * name alone proves nothing: every client that may create objects in the namespace can take it first.
 * The comparison ignores fields that do not decide what runs: `cancel`, `preview`, what the schema of
 * another version adds, and `priority`, which the schema of the release before removes.
 */
export function isSameCommand(row: ResourceSource, found: FfmpegCommandSpec): boolean {
  const isReference = found.request !== undefined
  const { spec }: { spec: FfmpegCommandSpec } = isReference
    ? referringResourceFor(row)
    : customResourceFor(row)
  return (
    spec.request?.sha256 === found.request?.sha256 &&
    specFields.every((field) => isDeepStrictEqual(spec[field], plain(found[field])))
  )
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
