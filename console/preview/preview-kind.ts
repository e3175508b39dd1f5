import type { FileRecord } from '../../common/openapi/openapi-types.ts'

export type PreviewKind = 'image' | 'video' | 'audio' | 'playlist' | 'none'

/** Preview that most browsers can show; the rest is a card with facts. */
export function previewKind(file: Pick<FileRecord, 'storage_url' | 'codec'>): PreviewKind {
  const name = nameOf(file).toLowerCase()
  const picture = pictureKind(name)
  if (picture === 'image') return picture
  if (name.endsWith('.m3u8')) return 'playlist'
  if (picture === 'video') return isPlayable(file) ? picture : 'none'
  if (/\.(mp3|m4a|aac|wav|ogg|oga|opus|flac)$/.test(name)) return 'audio'
  return 'none'
}

/** Element that shows a file of this name as a picture; null if none does. */
export function pictureKind(name: string): 'image' | 'video' | null {
  if (/\.(png|jpe?g|gif|webp|avif|svg)$/i.test(name)) return 'image'
  return /\.(mp4|m4v|webm|mov)$/i.test(name) ? 'video' : null
}

export function nameOf({ storage_url }: Pick<FileRecord, 'storage_url'>): string {
  try {
    return decodeURIComponent(new URL(storage_url ?? '').pathname.split('/').at(-1) ?? '')
  } catch {
    return ''
  }
}

const codecs: ReadonlySet<string> = new Set(['h264', 'vp8', 'vp9', 'av1'])

function isPlayable({ codec }: Pick<FileRecord, 'codec'>): boolean {
  return codec === null || codecs.has(codec)
}
