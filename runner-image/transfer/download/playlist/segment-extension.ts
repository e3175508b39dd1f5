import { open } from 'node:fs/promises'
import { extensionOf } from '../../../../common/domain/stored-type.ts'

/**
 * The extension of a segment: FFmpeg opens no segment whose extension is not that of its format, and some servers
 * name theirs `.jpg` or `.html`. An encrypted segment has only its name.
 */
export async function segmentExtension(path: string, url: URL): Promise<string> {
  await using handle = await open(path)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(189), 0, 189, 0)
  return byStart(buffer.subarray(0, bytesRead)) ?? byName(url) ?? 'ts'
}

function byStart(start: Buffer): string | null {
  const text = start.toString('latin1')
  if (start[0] === 0x47 && (start.length < 189 || start[188] === 0x47)) return 'ts'
  if (/^[^]{4}(?:ftyp|styp|moof|moov|sidx|emsg|prft)/.test(text)) return 'm4s'
  if (start.length >= 4 && matroskaStarts.has(start.readUInt32BE())) return 'webm'
  if (/^(?:\u00ef\u00bb\u00bf)?WEBVTT/.test(text)) return 'vtt'
  return null
}

/** The identifiers of a header and of a cluster. */
const matroskaStarts: ReadonlySet<number> = new Set([0x1a45dfa3, 0x1f43b675])

function byName({ pathname }: URL): string | null {
  const extension = extensionOf(pathname.split('/').at(-1) ?? '')
  return known.has(extension) ? extension : null
}

/** Extensions that FFmpeg's demuxer of HLS takes for media (`allowed_segment_extensions`). */
const known: ReadonlySet<string> = new Set(
  'aac ac3 eac3 ec3 mp3 m4a m4s m4v mp4 cmfv cmfa fmp4 ts vtt webvtt'.split(' '),
)
