import { access, constants, stat } from 'node:fs/promises'
import { hasCode } from '../../common/runtime/error-code.ts'
import { UsageError } from '../terminal/parse.ts'

/**
 * Before anything is asked of the service.
 * @throws UsageError where a file of this machine cannot be uploaded
 */
export async function checkLocalFile(file: string): Promise<void> {
  const problem = await problemOf(file)
  if (problem !== null) throw new UsageError(problem)
}

async function problemOf(file: string): Promise<string | null> {
  try {
    const found = await stat(file)
    if (!found.isFile()) return `${file} is not a file`
    await access(file, constants.R_OK)
    return null
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return `there is no file ${file}`
    if (hasCode(error, 'EACCES', 'EPERM')) return `${file} may not be read`
    throw error
  }
}

/**
 * The length of an upload is told before it begins, and a result is downloaded in pieces.
 * @param what the option or argument that holds it
 * @throws UsageError where `-` stands for standard input or output
 */
export function notStandardStream(text: string, what: string): string {
  if (text !== '-') return text
  throw new UsageError(
    `${what}: standard input and output are not supported; name a file, or ./- for one of that name`,
  )
}
