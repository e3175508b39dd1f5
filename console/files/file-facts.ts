import { age, duration, megabytes } from '../parts/relative-time.ts'
import { nameOf } from '../preview/preview-kind.ts'
import type { DraftInput } from '../draft/draft.ts'
import type { ShownState } from '../parts/state.ts'
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

/** State of a file in words, with its shape and its colour. */
export function stateOf({ status }: Pick<ListedFile, 'status'>): ShownState {
  switch (status) {
    case 'FAILED':
      return { word: 'Failed', icon: 'failed', tone: 'bad' }
    case 'QUEUED':
      return { word: 'Waiting', icon: 'queued', tone: 'accent' }
    case 'DOWNLOADING':
      return { word: 'Downloading', icon: 'running', tone: 'accent' }
    case 'DOWNLOADED':
    case 'UPLOADED':
      return { word: 'Analysing', icon: 'running', tone: 'accent' }
    case 'STORED':
      return { word: 'Stored', icon: 'done', tone: 'muted' }
    case null:
      return { word: 'Stored', icon: 'done', tone: 'accent' }
  }
}

/** Size or state, whether it is private, and its age, in one line. */
export function fileLine(file: ListedFile, nowMs: number): string {
  const parts = [
    file.status === 'STORED' ? sizeWords(file) : stateOf(file).word,
    file.is_private ? 'private' : '',
    age(file.created_at, nowMs),
  ]
  return parts.filter((one) => one !== '').join(' · ')
}

export function sizeWords({ size_mbytes: size }: Pick<ListedFile, 'size_mbytes'>): string {
  return size === null ? '' : megabytes(size)
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

/** File as an input of a command: the plain URL is one of the account's commands, also that of a private file. */
export function inputOf(file: ListedFile): Pick<DraftInput, 'url' | 'file'> {
  const url = (file.storage_url ?? '').replace(/\?.*$/, '')
  return { url, file: { name: titleOf(file), mbytes: file.size_mbytes, upload: null } }
}

export function counted(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}

const mostNames = 5

/** Says which data go with a deletion, and which stay. */
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

function isPlaylist({ file_type: type }: ListedFile): boolean {
  return type === 'output_manifest'
}

/** Most files that one request may delete. */
const mostAtOnce = 1_000

/** Ids of files to delete by one request each; a playlist takes its segments along, which the call for many files refuses. */
export function deletionRequests(files: readonly ListedFile[]) {
  const idsOf = (some: readonly ListedFile[]) => some.map(({ file_id: id }) => id)
  const ids = idsOf(files.filter((file) => !isPlaylist(file)))
  const requests = Math.ceil(ids.length / mostAtOnce)
  const many = Array.from({ length: requests }, (_, index) =>
    ids.slice(index * mostAtOnce, (index + 1) * mostAtOnce),
  )
  return { many, single: idsOf(files.filter(isPlaylist)) }
}
