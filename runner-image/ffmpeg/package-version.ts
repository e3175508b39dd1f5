import { readFile } from 'node:fs/promises'

/**
 * Upstream and Debian version of a package of the image, without the epoch: what the program says
 * of itself, without the time that it takes to start.
 * @param list lines of name, version and more, separated by tabs
 * @returns `unknown` where there is no such line or no list
 */
export async function packageVersion(list: string, name: string): Promise<string> {
  const text = await readFile(list, 'utf8').catch(() => '')
  const line = text.split('\n').find((each) => each.startsWith(`${name}\t`))
  return line?.split('\t')[1]?.replace(/^\d+:/, '') ?? 'unknown'
}
