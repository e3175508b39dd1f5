import { access, constants, stat } from 'node:fs/promises'
import { hasCode } from '../../common/runtime/error-code.ts'
import { UsageError } from '../terminal/usage-error.ts'

/**
 * Runs before any request to the service.
 * @throws UsageError if the local file cannot be uploaded
 */
export async function checkLocalFile(file: string): Promise<void> {
  const problem = await problemOf(file)
  if (problem !== null) throw new UsageError(problem)
}

async function problemOf(file: string): Promise<string | null> {
  try {
    const found = await stat(file)
    if (!found.isFile()) return `${file} is not a regular file`
    await access(file, constants.R_OK)
    return null
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return missingFile(file)
    if (hasCode(error, 'EACCES', 'EPERM')) return `file ${file} is not readable`
    throw error
  }
}

/** Error of an input that is neither a file here nor a URL. */
export function missingFile(file: string): string {
  return `No file ${file} here. A URL begins with https://`
}

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/**
 * An upload needs its length before it begins, and a result is downloaded in ranges, so neither can
 * be a stream.
 * @param what the option or argument that holds it
 * @throws UsageError for `-`, which means standard input or output
 */
export function notStandardStream(text: string, what: string): string {
  if (text !== '-') return text
  throw new UsageError(
    `${what}: standard input and output are not supported; name a file, or ./- for one of that name`,
  )
}
