import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../../common/domain/failures.ts'
import type { MediaFacts, OutputFile } from '../../../common/gateway/messages.ts'
import type { UploadFile } from '../upload/upload-files.ts'
import { changedFiles } from './folder-snapshot.ts'
import type { FolderSnapshot } from './folder-snapshot.ts'
import { zipFolder } from './zip-folder.ts'
import { unknownMedia } from '../../../common/gateway/unknown-media.ts'

/** The only output of a command that declares none: all its files, as a zip. */
export interface CollectedFolder {
  readonly upload: UploadFile
  readonly record: OutputFile
}

/**
 * @param work the working folder; the archive is written to the inputs beside it, where FFmpeg
 *   cannot reach it
 * @throws Failure MISSING_OUTPUT_FILE if the command has written nothing
 */
export async function collectFolder(
  work: string,
  before: FolderSnapshot,
  commandId: string,
  signal: AbortSignal,
): Promise<CollectedFolder> {
  const files = await changedFiles(work, before)
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  if (sizeBytes === 0) {
    throw new Failure('MISSING_OUTPUT_FILE', 'OUTPUT_FOLDER: the command wrote no file')
  }
  const path = `${commandId}.zip`
  const source = join(work, '../in', path)
  await zipFolder(work, files, source, signal)
  const compressedBytes = (await stat(source)).size
  const alias = 'OUTPUT_FOLDER'
  return {
    upload: { path, source, sizeBytes: compressedBytes, alias },
    record: {
      alias,
      path,
      sizeBytes,
      compressedBytes,
      fileCount: files.length,
      media: zipFacts,
    },
  }
}

const zipFacts: MediaFacts = {
  ...unknownMedia,
  file_type: 'zip',
  file_format: 'zip',
  mime_type: 'application/zip',
}
