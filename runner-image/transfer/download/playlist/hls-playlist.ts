import hls from 'hls-parser'
import { Failure } from '../../../../common/domain/failures.ts'

export type HlsPlaylist = ReturnType<typeof hls.parse>
export type MasterPlaylist = Extract<HlsPlaylist, { isMasterPlaylist: true }>
export type MediaPlaylist = Extract<HlsPlaylist, { isMasterPlaylist: false }>
type Variant = MasterPlaylist['variants'][number]
export type Key = NonNullable<MediaPlaylist['segments'][number]['key']>

hls.setOptions({ silent: true })

/** Whether a file is an HLS playlist (RFC 8216), and no list of songs. */
export function isHlsPlaylist(text: string): boolean {
  return (
    /^\ufeff?#EXTM3U/.test(text) &&
    /^#EXT-X-(?:STREAM-INF|TARGETDURATION|MEDIA|VERSION)/m.test(text)
  )
}

/** @throws Failure if the text cannot be read */
export function readPlaylist(text: string): HlsPlaylist {
  try {
    return hls.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new Failure('INVALID_INPUT_FILE', 'the playlist cannot be read', { cause: error })
  }
}

export function writePlaylist(playlist: HlsPlaylist): string {
  return hls.stringify(playlist)
}

/**
 * The variant that FFmpeg chooses: the one with the highest bandwidth.
 * @throws Failure if the playlist has none
 */
export function bestVariant({ variants }: MasterPlaylist): Variant {
  const [best] = variants
    .filter(({ isIFrameOnly }) => isIFrameOnly !== true)
    .toSorted((one, other) => other.bandwidth - one.bandwidth)
  if (best !== undefined) return best
  throw new Failure('INVALID_INPUT_FILE', 'the playlist names no streams')
}

/** The playlists of sound, pictures and subtitles that belong to a variant. */
export function renditionsOf({ audio, video, subtitles }: Variant) {
  return [...audio, ...video, ...subtitles].flatMap((one) => (one.uri === undefined ? [] : [one]))
}

/**
 * Takes what a playlist holds at this time: it ends where its window ends, and FFmpeg does not wait for more.
 * @param isBounded whether the command has a `-t`, without which a live stream never ends
 * @throws Failure for a live stream without an end, and for protection that FFmpeg cannot undo
 */
export function fixedPlaylist(playlist: MediaPlaylist, isBounded: boolean): MediaPlaylist {
  if (!playlist.endlist && playlist.playlistType !== 'VOD' && !isBounded) {
    throw new Failure(
      'INVALID_INPUT_FILE',
      'the playlist is a live stream; add -t with seconds in front of -i, or send the playlist of a recording',
    )
  }
  // Those of low latency may have parts alone.
  const segments = playlist.segments.filter(({ uri, gap }) => Boolean(uri) && gap !== true)
  // Without a key the library has null, which its types do not say.
  for (const { key } of segments) checkKey((key as Key | null | undefined) ?? null)
  for (const segment of segments) segment.parts = []
  const { length } = segments
  if (length === 0) throw new Failure('INVALID_INPUT_FILE', 'the playlist names no segments')
  return Object.assign(playlist, {
    segments,
    endlist: true,
    prefetchSegments: [],
    renditionReports: [],
    lowLatencyCompatibility: undefined,
    partTargetDuration: undefined,
    skip: 0,
  })
}

function checkKey(key: Key | null): void {
  if (key === null || key.method === 'NONE') return
  const isPlain = key.format === undefined || key.format === 'identity'
  if (key.method === 'AES-128' && isPlain) return
  const method = isPlain ? key.method : `${key.method} with ${key.format ?? ''}`
  throw new Failure(
    'INVALID_INPUT_FILE',
    `the playlist is protected by ${method.slice(0, 80)}, which FFmpeg cannot decrypt; AES-128 can be read`,
  )
}
