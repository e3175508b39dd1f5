const nameRule = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$/
const playlistAlias = /^out_playlist_/
const manifest = /\.(?:m3u8|mpd)$/i

/** What is wrong with the name of an output; null when nothing is. */
export function outputNameProblem(name: string): string | null {
  if (nameRule.test(name)) return null
  if (name.includes('%')) {
    return `Output name '${name}' is a pattern, which stands in the command: with output_files set to "OUTPUT_FOLDER", or between the commands of a chain`
  }
  if (name.includes('/')) {
    return `Output name '${name}' contains a folder; give the plain file name`
  }
  return `Output name '${name}' must have 1 to 200 letters, digits, '.', '_' or '-' and begin with a letter, digit or '_'`
}

/** A playlist has many files and so a folder of its own: alias and name must agree that it is one. */
export function playlistProblem(alias: string, name: string): string | null {
  if (isPlaylistAlias(alias) === manifest.test(name)) return null
  return isPlaylistAlias(alias)
    ? `Output '${alias}' is a playlist by its alias, so its name must end in .m3u8 or .mpd, not '${name}'`
    : `Output name '${name}' is a playlist; its alias must begin with 'out_playlist_', not '${alias}'`
}

export function isPlaylistAlias(alias: string): boolean {
  return playlistAlias.test(alias)
}

/** Relative to the working directory. */
export function outputPath(alias: string, name: string): string {
  return isPlaylistAlias(alias) ? `${alias}/${name}` : name
}
