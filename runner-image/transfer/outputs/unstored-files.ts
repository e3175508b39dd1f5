import { join } from 'node:path'
import { missingSegments } from '../warnings/missing-segments.ts'
import { playlistText } from './relative-playlists.ts'
import type { CommandWarning } from '../../../common/domain/command-warnings.ts'
import type { CollectedOutput } from './collect-outputs.ts'

/** HLS alone: FFmpeg names the segments of DASH itself. */
export function unstoredFiles(work: string, output: CollectedOutput): CommandWarning[] {
  const folder = output.path.slice(0, output.path.lastIndexOf('/') + 1)
  const paths = output.files.map(({ path }) => path.slice(folder.length))
  const stored = new Set(paths)
  return paths.flatMap((path) => {
    if (!/\.m3u8$/i.test(path)) return []
    const text = playlistText(join(work, folder, path))
    return text === null ? [] : missingSegments(text, { alias: output.alias, path, stored })
  })
}
