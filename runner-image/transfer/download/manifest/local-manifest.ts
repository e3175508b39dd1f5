import type { Track } from './dash-manifest.ts'

export interface LocalTrack {
  readonly track: Track
  /** The one file of its stream, beside the manifest. */
  readonly name: string
}

/**
 * A manifest with one file for each stream: of those with segments, FFmpeg 7.1 skips the first one of a
 * `SegmentList`, and hangs where segments are ranges of bytes.
 */
export function localManifest(seconds: number | null, tracks: readonly LocalTrack[]): string {
  const duration = seconds === null ? '' : ` mediaPresentationDuration="PT${seconds.toFixed(3)}S"`
  const sets = tracks.map(({ track, name }, index) => {
    const { lang, bandwidth } = track.attributes
    const set = attribute('contentType', track.kind) + attribute('lang', lang)
    const representation = attribute('id', String(index)) + attribute('bandwidth', bandwidth)
    return `<AdaptationSet${set}>
<Representation${representation}><BaseURL>${name}</BaseURL></Representation>
</AdaptationSet>`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static"${duration}>
<Period>
${sets.join('\n')}
</Period>
</MPD>
`
}

/** A value in a manifest may hold any character. */
function attribute(name: string, value: string | undefined): string {
  const plain = value?.replaceAll(/[^\w.-]/g, '')
  return plain === undefined ? '' : ` ${name}="${plain}"`
}

export interface LocalPeriod {
  readonly seconds: number | null
  /** The file of its manifest, beside the list. */
  readonly name: string
}

/** FFmpeg reads one period of a manifest alone; a list for its demuxer `concat` joins manifests of one period. */
export function periodList(periods: readonly LocalPeriod[]): string {
  const lines = periods.flatMap(({ seconds, name }) => {
    const file = `file '${name}'`
    return seconds === null ? [file] : [file, `duration ${seconds.toFixed(3)}`]
  })
  return ['ffconcat version 1.0', ...lines, ''].join('\n')
}
