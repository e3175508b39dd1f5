/**
 * Whether FFmpeg could read a parent folder, or an absolute path, out of a relative name. As a
 * pattern (`-pattern_type glob`, glob(3) with braces) it may stand for `..` without showing it, as
 * `.*`, `.?` or `{.,x}.` do; the demuxer's own `%*` and `%?` are the same patterns.
 */
export function mayLeaveFolder(path: string): boolean {
  const pattern = path.replace(/%(?=[*?[\]{}])/g, '')
  const names = withoutBraces(pattern)
  return (
    names === null ||
    names.some((name) => name.startsWith('/') || name.split('/').some(mayBeParent))
  )
}

function mayBeParent(component: string): boolean {
  // A glob matches a leading dot only by a literal dot. The contents of a bracket are not parsed:
  // the ends of `[].]`, `[!]a]` and `[[:punct:]]` are easily misread.
  return /^\.(?:[.*?]+$|[.*?]*\[)/.test(component)
}

/** Every name that braces expand to, as in a shell; null if there are too many to check. */
function withoutBraces(pattern: string): string[] | null {
  const groups = pattern.split('{').length - 1
  if (groups > mostGroups || (groups > 0 && pattern.length > longestName)) return null
  const names: string[] = []
  return expand(pattern, names) ? names : null
}

function expand(name: string, names: string[]): boolean {
  const group = innermost.exec(name)
  if (group === null) return names.push(name) <= mostNames
  const before = name.slice(0, group.index)
  const after = name.slice(group.index + group[0].length)
  return (group[1] ?? '').split(',').every((each) => expand(`${before}${each}${after}`, names))
}

const innermost = /\{([^{}]*)\}/
const mostNames = 100
/** Each can double the names, and costs a search even if it does not: 1,300 took six seconds. */
const mostGroups = 8
/** PATH_MAX: a longer text is not a path. */
const longestName = 4096
