import { duration, megabytes } from '../parts/relative-time.ts'
import { nameOf } from '../preview/preview-kind.ts'
import type { IconName } from '../parts/shapes.ts'
import type { Answers, FileRecord } from '../../common/openapi/openapi-types.ts'

export type ListedFile = Answers['listFiles'][number]

/** The name of an upload is as the client gave it; a URL and an output have the name at the end of their path. */
export function titleOf(file: ListedFile): string {
  const { original_file_url: from } = file
  if (from !== null && !from.includes('/')) return from
  return nameOf(file) || nameOf({ storage_url: from }) || file.file_id
}

export function originOf({ original_file_url: from, service_store_type: type }: ListedFile) {
  if (type === 'OUTPUT') return 'Output'
  return from !== null && from.includes('/') ? 'From a URL' : 'Upload'
}

/** A state beside those that a finished file has. */
export function stateOf({ status }: ListedFile): {
  readonly word: string
  readonly icon: IconName
} {
  switch (status) {
    case 'FAILED':
      return { word: 'Failed', icon: 'failed' }
    case 'QUEUED':
      return { word: 'Waiting', icon: 'queued' }
    case 'DOWNLOADING':
      return { word: 'Downloading', icon: 'running' }
    case 'DOWNLOADED':
    case 'UPLOADED':
      return { word: 'Analysing', icon: 'running' }
    default:
      return { word: 'Stored', icon: 'done' }
  }
}

export function typeWord({ file_type: type, file_format: format }: ListedFile): string {
  const words: Readonly<Record<string, string>> = { output_manifest: 'playlist' }
  const names = [type === null ? null : (words[type] ?? type), format]
  return [...new Set(names)].filter((one) => one !== null).join(' · ')
}

/** Name and value, as far as they are known. */
export function factsOf(file: FileRecord): readonly (readonly [string, string])[] {
  const { width, height, frame_rate: rate, duration: seconds, size_mbytes: size } = file
  const facts: readonly (readonly [string, string | null])[] = [
    ['Size', size === null ? null : megabytes(size)],
    ['Files', file.file_count === null ? null : String(file.file_count)],
    ['Type', typeWord(file) || null],
    ['Media type', file.mime_type],
    ['Picture', width === null || height === null ? null : `${width}x${height}`],
    ['Duration', seconds === null ? null : duration(seconds)],
    [
      'Codec',
      [file.codec, file.video_profile_level].filter((one) => one !== null).join(' ') || null,
    ],
    ['Pixels', file.pixel_format],
    ['Frames', rate === null || seconds === null ? null : `${Number(rate.toFixed(3))} a second`],
    ['Bit rate', rates(file)],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}

function rates({ bitrate_video_kb: video, bitrate_audio_kb: audio }: FileRecord): string | null {
  const words = [
    video === null ? null : `video ${Math.round(video)} kbit/s`,
    audio === null ? null : `audio ${Math.round(audio)} kbit/s`,
  ].filter((one) => one !== null)
  return words.length === 0 ? null : words.join(', ')
}

export function counted(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}

const mostNames = 5

/** What goes with a deletion, and what stays. */
export function deletionText(files: readonly ListedFile[]): string {
  const size = files.reduce((sum, file) => sum + (file.size_mbytes ?? 0), 0)
  const names = files.slice(0, mostNames).map(titleOf).join(', ')
  const more = files.length > mostNames ? ` and ${files.length - mostNames} more` : ''
  const urls = files.length === 1 ? 'Its URL stops' : 'Their URLs stop'
  const segments = files.some(isPlaylist) ? ' A playlist goes with its segments.' : ''
  const records = files.some(({ command_id: id }) => id !== null)
    ? ' The records of the commands stay.'
    : ''
  return `${names}${more} (${megabytes(size)}) will be deleted. ${urls} working.${segments}${records}`
}

export function isPlaylist({ file_type: type }: ListedFile): boolean {
  return type === 'output_manifest'
}
