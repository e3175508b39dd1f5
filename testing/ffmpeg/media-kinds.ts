import path from 'node:path'
import type { MediaFacts } from '../../common/gateway/messages.ts'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'
import { pairsOf } from '../support/lists.ts'

/** A kind of file and the facts that its record must hold. */
export interface MediaKind {
  readonly file: string
  /** File, and what is special about it. */
  readonly name: string
  /** Arguments with which FFmpeg makes it, or its bytes. */
  readonly made: readonly string[] | Buffer
  /** Null when it is not a container that ffprobe reads. */
  readonly streams: number | null
  readonly facts: Partial<MediaFacts>
}

const sources = {
  PICTURE: '-f lavfi -i testsrc2=d=2:s=128x96',
  TONE: '-f lavfi -i sine=d=2',
  H264: '-c:v libx264 -pix_fmt yuv420p',
}
const groups: Readonly<Record<string, Partial<MediaFacts>>> = {
  NOTHING: { ...unknownMedia, file_type: 'other', mime_type: 'application/octet-stream' },
  IMAGE: { file_type: 'image', duration: null, frame_rate: null, bitrate_video_kb: null },
  OTHER: { file_type: 'other', file_format: null, duration: null, codec: null },
  SILENT: { width: null, height: null, pixel_format: null, frame_rate: null },
  FLAT: { width: 128, height: 96 },
}

export function mediaKinds(): MediaKind[] {
  return pairsOf(path.join(import.meta.dirname, 'media-kinds.txt')).map(({ given, expected }) => {
    const [, name = '', file = '', made = ''] = /^((\S+?)(?: \(.+?\))?): (.+)$/.exec(given) ?? []
    const [, streams = '', facts = ''] = /^(\S+) (.+)$/.exec(expected) ?? []
    return {
      file,
      name,
      made: readMade(made),
      facts: readFacts(facts),
      streams: streams === '-' ? null : Number(streams),
    }
  })
}

/** `"text" x 200` stands for bytes. */
function readMade(made: string): readonly string[] | Buffer {
  const [, text, times = '1'] = /^(".*")(?: x (\d+))?$/.exec(made) ?? []
  if (text !== undefined)
    return Buffer.from(String(JSON.parse(text)).repeat(Number(times)), 'latin1')
  const whole = Object.entries(sources).reduce(
    (filled, [name, source]) => filled.replaceAll(name, source),
    made,
  )
  return whole.split(' ')
}

/** `name=value` and names of groups of facts; the last one counts. */
function readFacts(text: string): Partial<MediaFacts> {
  const facts = [...text.matchAll(/(\w+)(?:=("[^"]*"|\S+))?/g)].map(([, name = '', value]) =>
    value === undefined ? groups[name] : { [name]: readValue(value) },
  )
  return Object.assign({}, ...facts) as Partial<MediaFacts>
}

function readValue(value: string): unknown {
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
