import { isRecord } from '../../../local-cluster/host/run-command.ts'
import type { ImagePrograms } from '../../../images/image-programs.ts'

/** A stored file as FFmpeg's own tools see it. */
export interface Inspected {
  /** Streams in the file's order: `video h264 640x360`, `audio aac`. */
  readonly streams: readonly string[]
  /** Seconds; null where there is none. */
  readonly duration: number | null
}

export async function inspectOutput(programs: ImagePrograms, url: string): Promise<Inspected> {
  const entries = 'format=duration:stream=codec_type,codec_name,width,height'
  const text = await programs.print('ffprobe', ['-of', 'json', '-show_entries', entries, url])
  const report: unknown = JSON.parse(text)
  if (!isRecord(report)) throw new Error('ffprobe printed no object')
  const { streams, format } = report
  const seconds = isRecord(format) ? Number(format['duration']) : Number.NaN
  return {
    streams: Array.isArray(streams) ? streams.filter(isRecord).map(streamText) : [],
    duration: Number.isNaN(seconds) ? null : seconds,
  }
}

/** Integrated loudness by EBU R 128, in LUFS. */
export async function loudnessOf(programs: ImagePrograms, url: string): Promise<number> {
  const meter = 'ebur128=metadata=1,ametadata=print:key=lavfi.r128.I:file=-'
  const text = await programs.print('ffmpeg', ['-i', url, '-vn', '-af', meter, '-f', 'null', '-'])
  return Number(text.trimEnd().split('=').at(-1))
}

function streamText(stream: Record<string, unknown>): string {
  const { codec_type: type, codec_name: codec, width, height } = stream
  const size = type === 'video' ? [`${String(width)}x${String(height)}`] : []
  return [String(type), String(codec), ...size].join(' ')
}
