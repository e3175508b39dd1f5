import type { OutputFolder } from './inspect-output-file.ts'
import { outputCompanionOptions } from '../grammar/option-table.ts'

/**
 * Path of a file that FFmpeg writes beside an output, and the prefix that its name needs for that.
 * FFmpeg puts every such file into the output's folder by itself but two: names of
 * `-hls_segment_filename` are relative to the working directory, while the playlist lists them as
 * if they lay beside it, which would be a playlist without its segments. The key of
 * `-hls_enc_key_url` lies where that option says, and the playlist says the same.
 */
export function companionPath(
  option: string,
  name: string,
  folder: OutputFolder,
): { path: string; prefix: string } {
  if (folder === null || !outputCompanionOptions.has(option)) return { path: name, prefix: '' }
  const within = `${folder.path}/`
  if (option === 'hls_enc_key_url') {
    return folder.isPlaylist ? { path: within + name, prefix: within } : { path: name, prefix: '' }
  }
  if (option !== 'hls_segment_filename') return { path: within + name, prefix: '' }
  // A name with a folder already says where it belongs in a folder of the customer's own choice.
  if (!folder.isPlaylist && name.includes('/')) return { path: name, prefix: '' }
  return { path: within + name, prefix: within }
}
