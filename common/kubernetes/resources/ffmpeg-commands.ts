import { apiGroup, apiVersion, commandKind, commandPlural } from '../../domain/resource-names.ts'
import { parseMetadata } from './metadata.ts'
import { objectOf, UnexpectedShape } from '../read-json.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { createResource } from './resource.ts'
import type { FfmpegCommandBody } from '../../../crds/ffmpegcommand.ts'
import type { KubeClient } from '../client.ts'
import type { FfmpegCommand } from './objects.ts'
import type { Resource } from './resource.ts'

export function createFfmpegCommands(client: KubeClient): Resource<FfmpegCommand> {
  return createResource(client, {
    kind: commandKind,
    plural: commandPlural,
    apiPath: `/apis/${apiGroup}/${apiVersion}`,
    parse: parseFfmpegCommand,
  })
}

/** @throws UnexpectedShape */
export function parseFfmpegCommand(raw: unknown): FfmpegCommand {
  const object = objectOf(raw, commandKind)
  if (!hasBody(object)) throw new UnexpectedShape(commandKind, 'a command')
  const { spec, status } = object
  return { metadata: parseMetadata(raw), spec, ...(status === undefined ? {} : { status }) }
}

/** The API server validates spec and status against the schema the types are generated from. */
function hasBody(object: object): object is FfmpegCommandBody {
  if (!('spec' in object) || !isJsonObject(object.spec)) return false
  const status = 'status' in object ? object.status : undefined
  return isReadable(object.spec) && (status === undefined || isJsonObject(status))
}

function isReadable({ commands, request }: JsonObject): boolean {
  if (commands !== undefined) return Array.isArray(commands)
  return isJsonObject(request) && typeof request['sha256'] === 'string'
}
