import { isPlaylistAlias } from './output-name.ts'

/**
 * Outputs that would lie where another one does, by alias, with what is wrong.
 * @param outputs alias and name, in the order sent; the first of a name has it
 */
export function outputClashes(
  outputs: readonly (readonly [alias: string, name: string])[],
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  for (const [alias, name] of outputs) if (!owners.has(name)) owners.set(name, alias)
  const playlists = new Set(outputs.map(([alias]) => alias).filter(isPlaylistAlias))
  const clashes = new Map<string, string>()
  for (const [alias, name] of outputs) {
    const owner = owners.get(name) ?? alias
    if (owner !== alias) {
      clashes.set(alias, `The name '${name}' is taken by ${owner}; each output needs its own`)
    } else if (playlists.has(name)) {
      clashes.set(alias, `The name '${name}' is taken by the folder of that playlist's files`)
    }
  }
  return clashes
}
