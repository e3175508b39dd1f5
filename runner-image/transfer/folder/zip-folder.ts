import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { Failure } from '../../../common/domain/failures.ts'
import { storedType } from '../../../common/domain/stored-type.ts'
import { abortReason } from '../../../common/runtime/effects.ts'
import type { ListedFile } from '../outputs/list-files.ts'
import { openRegularFile } from '../runtime/regular-file.ts'

/**
 * Zips files of the working folder, sub-folders kept. Media is stored as it is, since it does not
 * shrink; text is deflated.
 * @param target absolute path of the archive
 */
export async function zipFolder(
  folder: string,
  files: readonly ListedFile[],
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const zip = new ZipFile()
  const broken = new AbortController()
  zip.once('error', (error) => {
    broken.abort(error)
  })
  for (const { path } of files) {
    const options = { compress: !isMedia(path), mode: 0o100644 }
    zip.addReadStreamLazy(nameInZip(path), options, (ready) => {
      try {
        ready(null, openForZip(join(folder, path)))
      } catch (error) {
        ready(error, Readable.from([]))
      }
    })
  }
  zip.end()
  try {
    const stop = AbortSignal.any([signal, broken.signal])
    await pipeline(zip.outputStream, createWriteStream(target), { signal: stop })
  } catch (error) {
    throw broken.signal.aborted ? abortReason(broken.signal) : error
  }
}

/** On Windows a backslash is a folder's end, and `c:` a drive: no archive may name either. */
function nameInZip(path: string): string {
  return path.replaceAll('\\', '_').replace(/^([A-Za-z]):/, '$1_')
}

/** The same check as for a file that is stored by itself. */
function openForZip(path: string): Readable {
  const opened = openRegularFile(path)
  if (opened === null) throw new Failure('STORAGE_ERROR', 'A file changed while it was stored')
  const stream = createReadStream(`/proc/self/fd/${String(opened.fd)}`)
  stream.once('close', () => {
    opened.close()
  })
  return stream
}

function isMedia(path: string): boolean {
  const { contentType } = storedType(path)
  return /^(video|audio|image)\//.test(contentType) || contentType === 'application/zip'
}
