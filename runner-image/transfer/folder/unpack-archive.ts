import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { isUtf8 } from 'node:buffer'
import { getFileNameLowLevel } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'
import { hasCode } from '../../../common/runtime/error-code.ts'
import { Failure } from '../../../common/domain/failures.ts'
import { megabytes } from '../runtime/transfer-allowance.ts'
import { linkCommonFolder } from './common-folder.ts'
import { entryVerdict } from './entry-rule.ts'
import { openArchive } from './open-archive.ts'

export interface UnpackLimits {
  /** Sum over all entries of the archive, unpacked; null = the plan has no limit. */
  readonly fileBytes: number | null
  /** Size of the working disk. */
  readonly scratchBytes: number
  readonly fileCount: number
}

export interface UnpackRequest {
  readonly archive: string
  /** Name in sentences. */
  readonly alias: string
  /** Absolute; the archive's tree is written into it. */
  readonly target: string
  readonly limits: UnpackLimits
}

/**
 * Unpacks a customer's zip and deletes it. Its contents are untrusted: bytes are counted while they
 * are inflated (200 MB of zeros zip to 204 KB), names are checked, nothing is overwritten, and
 * stored modes and times are ignored.
 * @returns bytes written
 * @throws Failure INVALID_INPUT_FILE, INPUT_TOO_LARGE
 */
export async function unpackArchive(request: UnpackRequest, signal: AbortSignal): Promise<number> {
  const { archive, alias } = request
  try {
    const zip = await openArchive(archive)
    try {
      // macOS adds an entry to each, which is skipped.
      const { fileCount } = request.limits
      if (zip.entryCount > 2 * fileCount + 1_000) throw tooManyEntries(request.limits)
      return await unpack(zip, request, signal)
    } finally {
      zip.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Failure)) throw systemError(error) ?? broken(alias, error)
    throw new Failure(error.status, `${alias}: ${error.message}`, { cause: error })
  } finally {
    await rm(archive, { force: true })
  }
}

async function unpack(
  zip: ZipFile,
  { target, limits }: UnpackRequest,
  signal: AbortSignal,
): Promise<number> {
  const folders = new Set<string>()
  /** Some tools write a folder as a file without bytes: they are made last, unless they are folders. */
  const empty: string[] = []
  let files = 0
  let written = 0
  function count(bytes: number): void {
    written += bytes
    if (limits.fileBytes !== null && written > limits.fileBytes) {
      throw new Failure(
        'INPUT_TOO_LARGE',
        `over ${megabytes(limits.fileBytes)} MB unpacked, which is what the plan allows`,
      )
    }
    if (written > limits.scratchBytes) {
      throw new Failure(
        'INPUT_TOO_LARGE',
        `does not fit the working disk of ${megabytes(limits.scratchBytes)} MB unpacked`,
      )
    }
  }

  /**
   * A long name makes many folders: 4.8 MB of zip became 150,000 of them, each an inode of the
   * node's.
   */
  async function makeFolder(folder: string): Promise<void> {
    for (let each = folder; each !== '.' && !folders.has(each); each = dirname(each)) {
      folders.add(each)
      if (folders.size + files > limits.fileCount) throw tooManyEntries(limits)
    }
    await mkdir(join(target, folder), { recursive: true, mode: 0o755 })
  }

  for await (const entry of zip.eachEntry()) {
    signal.throwIfAborted()
    const verdict = entryVerdict({
      name: nameOf(entry),
      encrypted: entry.isEncrypted(),
      externalFileAttributes: entry.externalFileAttributes,
    })
    switch (verdict.kind) {
      case 'skip':
        break
      case 'refused':
        throw new Failure('INVALID_INPUT_FILE', verdict.reason)
      case 'folder':
        await makeFolder(verdict.path)
        break
      case 'file':
        await makeFolder(dirname(verdict.path))
        files += 1
        if (folders.size + files > limits.fileCount) throw tooManyEntries(limits)
        if (entry.uncompressedSize === 0) empty.push(verdict.path)
        else await writeEntry(() => content(zip, entry), join(target, verdict.path), count)
    }
  }
  for (const path of empty) {
    if (!folders.has(path)) await writeFile(join(target, path), '', { flag: 'wx', mode: 0o644 })
  }
  await linkCommonFolder(target)
  return written
}

/**
 * The field of Info-ZIP for names in Unicode, else UTF-8, else code page 437, which DOS had: few tools set the flag that
 * says which. Backslashes of Windows become slashes.
 */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw)
    ? generalPurposeBitFlag | utf8Flag
    : generalPurposeBitFlag & ~utf8Flag
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false)
}

const utf8Flag = 0x800

async function content(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (!entry.canDecodeFileData()) {
    throw new Failure('INVALID_INPUT_FILE', 'the archive is neither stored nor deflated')
  }
  return zip.openReadStreamPromise(entry)
}

async function writeEntry(
  read: () => Promise<Readable>,
  path: string,
  count: (bytes: number) => void,
): Promise<void> {
  // Exclusive: a second entry of the same name could write through what the first one made.
  const file = await open(path, 'wx', 0o644)
  try {
    // Last: it inflates from now on, and an error of an entry with a false header would end the
    // process if it had no listener yet.
    const stream = await read()
    try {
      for await (const piece of stream as AsyncIterable<Buffer>) {
        count(piece.length)
        await file.write(piece)
      }
    } finally {
      stream.destroy()
    }
  } finally {
    await file.close()
  }
}

function tooManyEntries({ fileCount }: UnpackLimits): Failure {
  return new Failure('INVALID_INPUT_FILE', `more than ${String(fileCount)} entries`)
}

/** A full disk, and names that collide or cannot be made. */
function systemError(error: unknown): Failure | null {
  return hasCode(error, 'ENOSPC', 'EDQUOT')
    ? new Failure('INPUT_TOO_LARGE', 'the working disk is full', { cause: error })
    : null
}

function broken(alias: string, error: unknown): Failure {
  const reason = hasCode(error, 'EEXIST', 'ENOTDIR', 'EISDIR')
    ? 'two entries have the same name'
    : 'not a zip archive that can be read'
  return new Failure('INVALID_INPUT_FILE', `${alias}: ${reason}`, { cause: error })
}
