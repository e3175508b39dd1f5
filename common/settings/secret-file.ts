import { readFileSync } from 'node:fs'

/**
 * The present text of a file that is replaced while the process runs, such as a key of a mounted Secret. Each call reads it:
 * a file of some bytes on a tmpfs. While it cannot be read, the text of the call before.
 * @throws if the first call cannot read it
 */
export function secretFile(path: string): () => string {
  let known: string | undefined
  return () => {
    try {
      known = readFileSync(path, 'utf8').trim()
    } catch (error) {
      if (known === undefined) throw error
    }
    return known
  }
}
