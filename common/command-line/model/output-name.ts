import { unfilledExpression } from '../remedies/unfilled-expression.ts'

const nameRule = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$/
const playlistAlias = /^out_playlist_/
/** Characters. A name may have any length before it is refused. */
const longestShown = 300
const manifest = /\.(?:m3u8|mpd)$/i

/** Mistake in the name of an output; null when there is none. */
export function outputNameProblem(name: string): string | null {
  if (nameRule.test(name)) return null
  const other = otherThanName(name)
  if (other !== null) return other
  if (name.includes('%')) {
    return `Output name '${name}' is a pattern, which stands in the command: with output_files set to "OUTPUT_FOLDER", or between the commands of a chain`
  }
  if (name.includes('/')) {
    return `Output name '${name}' contains a folder; give the plain file name`
  }
  return `Output name '${name}' must have 1 to 200 letters, digits, '.', '_' or '-' and begin with a letter, digit or '_'`
}

/** Text in the place of an output's name that no rule about letters would explain; null for a name. */
export function otherThanName(name: string): string | null {
  const shown = name.slice(0, longestShown)
  const expression = unfilledExpression(shown)
  if (expression !== null) {
    return `Output name '${shown}' holds the expression '${expression}', which was not filled in; let your workflow put its value there`
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return null
  const last = shown.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
  const example = nameRule.test(last) ? last : 'a.mp4'
  return `Output name '${shown}' is a URL; the service stores outputs itself: give a plain file name, as '${example}', and fetch it from its storage_url`
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
