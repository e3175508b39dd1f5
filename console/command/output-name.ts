import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

/** Name of the first output, by which people know a command; its id where the request is gone. */
export function outputNameOf({ original_request, command_id }: CommandStatusRecord): string {
  const outputs = original_request?.output_files ?? {}
  const [name = command_id] = typeof outputs === 'string' ? [] : Object.values(outputs)
  return name
}

const byNumber = new Intl.Collator('en', { numeric: true })

/** Outputs in the order of their aliases. The name is that of the request, since a deleted file has no URL to read it from. */
export function outputsOf({
  output_files: files,
  original_request,
}: Pick<CommandStatusRecord, 'output_files' | 'original_request'>) {
  const outputs = original_request?.output_files ?? {}
  const names = new Map(typeof outputs === 'string' ? [] : Object.entries(outputs))
  return Object.entries(files ?? {})
    .toSorted(([a], [b]) => byNumber.compare(a, b))
    .map(([alias, file]) => ({ alias, file, name: names.get(alias) ?? alias }))
}
