import { join } from 'node:path'
import type { MediaFacts, OutputFile } from '../../../common/gateway/messages.ts'
import type { CollectedOutput } from './collect-outputs.ts'
import type { UploadFiles } from './upload-files.ts'

/**
 * Stores the files of all outputs, those that name others last. What this has written is not an
 * output yet: only the result's acceptance publishes it.
 */
export async function storeOutputs(
  outputs: readonly CollectedOutput[],
  work: string,
  upload: UploadFiles,
  signal: AbortSignal,
): Promise<void> {
  for (const rank of [0, 1, 2] as const) {
    const files = outputs.flatMap(({ alias, files: own }) =>
      own
        .filter((file) => file.rank === rank)
        .map(({ path, sizeBytes }) => ({ path, sizeBytes, source: join(work, path), alias })),
    )
    if (files.length > 0) await upload(files, signal)
  }
}

/** The record of an output in the result. */
export function outputFile(output: CollectedOutput, media: MediaFacts): OutputFile {
  return {
    alias: output.alias,
    path: output.path,
    sizeBytes: output.files.reduce((sum, file) => sum + file.sizeBytes, 0),
    compressedBytes: null,
    fileCount: output.isPlaylist ? output.files.length : null,
    media,
  }
}
