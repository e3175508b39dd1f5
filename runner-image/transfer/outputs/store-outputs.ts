import { extname, join } from 'node:path'
import type { MediaFacts, OutputFile } from '../../../common/gateway/messages.ts'
import type { CollectedFile, CollectedOutput } from './collect-outputs.ts'
import { fingerprint } from '../upload/fingerprint.ts'
import type { UploadFiles } from '../upload/upload-files.ts'

/** Files stored already, by path: the fingerprint that the file had before it was sent. */
export type StoredFiles = Map<string, string>

/**
 * Stores the files of all outputs that are not stored as they are now, those that name others
 * last. What this has written is not an output yet: only the result's acceptance publishes it.
 */
export async function storeOutputs(
  outputs: readonly CollectedOutput[],
  { work, stored, upload }: { work: string; stored: StoredFiles; upload: UploadFiles },
  signal: AbortSignal,
): Promise<void> {
  const touched = new Set<CollectedOutput>()
  for (const rank of [0, 1, 2] as const) {
    const found: { output: CollectedOutput; file: CollectedFile; state: string }[] = []
    for (const output of outputs) {
      for (const file of output.files.filter((each) => each.rank === rank)) {
        const { state } = fingerprint(join(work, file.path)) ?? { state: 'gone' }
        // A manifest is sent again after any file of its output: it must follow the files it names.
        if (stored.get(file.path) === state && !touched.has(output)) continue
        found.push({ output, file, state })
      }
    }
    if (found.length === 0) continue
    const files = found.map(({ file: { path, sizeBytes }, output: { alias } }) => {
      return { path, sizeBytes, source: join(work, path), alias }
    })
    await upload(files, signal)
    for (const { output, file, state } of found) {
      stored.set(file.path, state)
      touched.add(output)
    }
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
    media: output.isPlaylist ? manifestFacts(output.path, media) : media,
  }
}

/**
 * A manifest whose segments are at addresses or within one file cannot be probed. It still owns its
 * segments: as a file of unknown kind it would be deleted without them.
 */
function manifestFacts(path: string, media: MediaFacts): MediaFacts {
  return {
    ...media,
    file_type: 'output_manifest',
    file_format: extname(path).slice(1).toLowerCase(),
  }
}
