import { readFileSync } from 'node:fs'

/**
 * Upstream and Debian version of a package of the image, without the epoch: what the program says
 * of itself, without the time that it takes to start.
 * @param list lines of name, version and more, separated by tabs
 * @returns `unknown` where there is no such line or no list
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
    // an image of another make: a version in a log line is no reason to fail
    return ''
  }
}
