import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

/** Name of the first output, by which people know a command; its id where the request is gone. */
export function outputNameOf({ original_request, command_id }: CommandStatusRecord): string {
  const outputs = original_request?.output_files ?? {}
  const [name = command_id] = typeof outputs === 'string' ? [] : Object.values(outputs)
  return name
}
