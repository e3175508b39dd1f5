import { readFileSync } from 'node:fs'

/**
 * Upstream and Debian version of a package of the image, without the epoch: the same as the
 * program's own output, without the time of its start.
 * @param list lines of name, version and more, separated by tabs
 * @returns `unknown` if the line or the list does not exist
 */
export function packageVersion(list: string, name: string): string {
  const text = textOf(list)
  const line = text.split('\n').find((each) => each.startsWith(`${name}\t`))
  return line?.split('\t')[1]?.replace(/^\d+:/, '') ?? 'unknown'
}

function textOf(list: string): string {
  try {
    return readFileSync(list, 'utf8')
  } catch {
    // an image built another way: a version in a log line must not fail the run
    return ''
  }
}
