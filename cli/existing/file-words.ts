import type { CommandListItem } from '../../common/openapi/openapi-types.ts'

/** Names of each kind in one line. */
const shownNames = 2

/** `film.mov → small.mp4`; empty where the service does not know the names, and for a command without files. */
export function fileWords({
  input_names,
  output_names,
}: Pick<CommandListItem, 'input_names' | 'output_names'>): string {
  const [inputs, outputs] = [input_names, output_names].map((names) => shortened(names ?? []))
  return inputs === '' && outputs === '' ? '' : `${inputs} → ${outputs}`.trim()
}

function shortened(names: readonly string[]): string {
  const rest = names.length > shownNames ? ['…'] : []
  return [...names.slice(0, shownNames), ...rest].join(', ')
}
