import type { CommandSubmission } from './plan.ts'

export type RealCommand = { title: string } & CommandSubmission

/** A command with one output of that name. */
export const realCommand = (
  title: string,
  name: string,
  command: string,
  changes: Partial<CommandSubmission> = {},
): RealCommand => ({
  title,
  commands: [command],
  inputAliases: ['in_1', 'in_2', 'in_3'],
  outputs: { out_1: name },
  inputFolder: false,
  chained: false,
  ...changes,
})

const raw = String.raw

/** in_1 and in_2: video with audio; in_3: a picture, subtitles or a list, as the command needs. */
export const realCommands: readonly RealCommand[] = [
  realCommand('scale', 'a.mp4', '-i {{in_1}} -vf "scale=-2:320" -c:a aac {{out_1}}'),
  realCommand(
    'published GIF sample',
    'a.gif',
    `-i {{in_1}} -vf select='gt(trunc(t/2),trunc(prev_t/2))',setpts='PTS*0.1',scale=trunc(oh*a/2)*2:320:force_original_aspect_ratio=decrease,pad=trunc(oh*a/2)*2:320:-1:-1 -loop 0 -an -vsync vfr {{out_1}}`,
  ),
  realCommand(
    'published speed-up sample',
    'a.gif',
    raw`-i {{in_1}} -vf select='lte(n\,1)+gt(trunc(t/10),trunc(prev_t/10))',setpts='PTS*0.025',scale=320:-1 -an -vsync vfr {{out_1}}`,
  ),
  realCommand(
    'pasted with its program',
    'a.mp4',
    'ffmpeg -y -hide_banner -i {{in_1}} -c copy {{out_1}}',
  ),
  realCommand(
    'several lines',
    'a.mp4',
    'ffmpeg -i {{in_1}} \\\n  -c:v libx264 -preset veryfast -crf 23 \\\n  -c:a aac -b:a 128k \\\n  -movflags +faststart {{out_1}}',
  ),
  realCommand('H.265', 'a.mp4', '-i {{in_1}} -c:v libx265 -tag:v hvc1 -crf 28 -c:a copy {{out_1}}'),
  realCommand(
    'H.265 parameters',
    'a.mkv',
    '-i {{in_1}} -c:v libx265 -preset ultrafast -x265-params "crf=30:log-level=error" {{out_1}}',
  ),
  realCommand('AV1', 'a.mkv', '-i {{in_1}} -t 1 -c:v libsvtav1 -preset 12 -crf 35 -an {{out_1}}'),
  realCommand(
    'VP9',
    'a.webm',
    '-i {{in_1}} -t 1 -c:v libvpx-vp9 -b:v 0 -crf 40 -c:a libopus {{out_1}}',
  ),
  realCommand('MP3', 'a.mp3', '-i {{in_1}} -vn -c:a libmp3lame -q:a 2 {{out_1}}'),
  realCommand(
    'WAV for speech',
    'a.wav',
    '-i {{in_1}} -vn -ac 1 -ar 16000 -c:a pcm_s16le {{out_1}}',
  ),
  realCommand(
    'cut without encoding',
    'a.mp4',
    '-ss 00:00:01 -to 2.5 -i {{in_1}} -c copy {{out_1}}',
  ),
  realCommand(
    'cut after the input',
    'a.mp4',
    '-i {{in_1}} -ss 1 -t 1 -avoid_negative_ts make_zero {{out_1}}',
  ),
  realCommand('last second', 'a.mp4', '-sseof -1 -i {{in_1}} -c:v libx264 {{out_1}}'),
  realCommand('thumbnail', 'a.jpg', '-ss 1 -i {{in_1}} -frames:v 1 -q:v 2 -update 1 {{out_1}}'),
  realCommand(
    'best thumbnail',
    'a.png',
    '-i {{in_1}} -vf thumbnail=25,scale=320:-1 -vframes 1 {{out_1}}',
  ),
  realCommand(
    'contact sheet',
    'a.png',
    raw`-i {{in_1}} -vf "select=not(mod(n\,10)),scale=160:-1,tile=3x2" -frames:v 1 {{out_1}}`,
  ),
  realCommand(
    'scene changes',
    'a.gif',
    raw`-i {{in_1}} -vf select=gt(scene\,0.01)+eq(n\,0),scale=160:-1 -fps_mode vfr {{out_1}}`,
  ),
  realCommand(
    'GIF by palette',
    'a.gif',
    '-i {{in_1}} -filter_complex "[0:v]fps=10,scale=320:-1:flags=lanczos,split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=5" {{out_1}}',
  ),
  realCommand(
    'animated WebP',
    'a.webp',
    '-i {{in_1}} -vf fps=5,scale=160:-1 -loop 0 -an {{out_1}}',
  ),
  realCommand(
    'watermark',
    'a.mp4',
    '-i {{in_1}} -i {{in_2}} -filter_complex "[1:v]scale=64:-1[l];[0:v][l]overlay=W-w-10:H-h-10:shortest=1" {{out_1}}',
  ),
  realCommand(
    'watermark without quotes',
    'a.mp4',
    '-i {{in_1}} -i {{in_2}} -filter_complex [1]scale=64:-1[l];[0][l]overlay=main_w-overlay_w-10:10[v] -map [v] -map 0:a? {{out_1}}',
  ),
  realCommand(
    'overlay from a movie source',
    'a.mp4',
    '-i {{in_1}} -vf "movie={{in_2}},scale=32:32[wm];[in][wm]overlay=10:10[out]" {{out_1}}',
  ),
  realCommand(
    'picture in picture for a while',
    'a.mp4',
    `-i {{in_1}} -i {{in_2}} -filter_complex "[1:v]scale=iw/4:-2[p];[0:v][p]overlay=enable='between(t,0.5,1.5)':x=10:y=10" -c:a copy {{out_1}}`,
  ),
  realCommand(
    'side by side',
    'a.mp4',
    '-i {{in_1}} -i {{in_2}} -filter_complex "[0:v][1:v]hstack=inputs=2[v];[0:a][1:a]amix=inputs=2[a]" -map "[v]" -map "[a]" {{out_1}}',
  ),
  realCommand(
    'four in a grid',
    'a.mp4',
    '-i {{in_1}} -i {{in_2}} -i {{in_1}} -i {{in_2}} -filter_complex "[0:v][1:v][2:v][3:v]xstack=inputs=4:layout=0_0|w0_0|0_h0|w0_h0[v]" -map "[v]" {{out_1}}',
  ),
  realCommand(
    'concatenation by filter',
    'a.mp4',
    '-i {{in_1}} -i {{in_2}} -filter_complex "[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]" -map "[v]" -map "[a]" {{out_1}}',
  ),
  realCommand('concatenation by list', 'a.mp4', '-f concat -safe 0 -i {{in_3}} -c copy {{out_1}}'),
  realCommand(
    'concatenation by protocol',
    'a.ts',
    '-i "concat:{{in_1}}|{{in_2}}" -c copy -f mpegts {{out_1}}',
  ),
  realCommand(
    'cross-fade',
    'a.mp4',
    '-i {{in_1}} -i {{in_2}} -filter_complex "[0:v]settb=AVTB[a];[1:v]settb=AVTB[b];[a][b]xfade=transition=fade:duration=1:offset=1[v];[0:a][1:a]acrossfade=d=1[x]" -map [v] -map [x] {{out_1}}',
  ),
  realCommand(
    'text',
    'a.mp4',
    `-i {{in_1}} -vf "drawtext=text='Hello World':fontcolor=white:fontsize=24:box=1:boxcolor=black@0.5:x=(w-text_w)/2:y=h-th-10" {{out_1}}`,
  ),
  realCommand(
    'text with a colon, quoted for a shell',
    'a.mp4',
    raw`-i {{in_1}} -vf drawtext=text='Time\\: %{pts}':fontsize=20 {{out_1}}`,
  ),
  realCommand(
    'timestamp',
    'a.mp4',
    raw`-i {{in_1}} -vf "drawtext=fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf:text='%{pts\:hms}':x=10:y=10" {{out_1}}`,
  ),
  realCommand(
    'burnt-in subtitles',
    'a.mp4',
    `-i {{in_1}} -vf "subtitles={{in_3}}:force_style='Fontsize=24,PrimaryColour=&H0000ff&'" {{out_1}}`,
  ),
  realCommand(
    'soft subtitles',
    'a.mp4',
    '-i {{in_1}} -i {{in_3}} -map 0 -map 1 -c copy -c:s mov_text -metadata:s:s:0 language=eng {{out_1}}',
  ),
  realCommand('SRT to VTT', 'a.vtt', '-i {{in_3}} {{out_1}}'),
  realCommand(
    'loudness',
    'a.mp4',
    '-i {{in_1}} -af loudnorm=I=-16:TP=-1.5:LRA=11 -c:v copy {{out_1}}',
  ),
  realCommand(
    'loudness measured',
    'a.json',
    '-i {{in_1}} -af loudnorm=print_format=json -f null - -t 0.1 -f ffmetadata {{out_1}}',
  ),
  realCommand(
    'fades',
    'a.mp4',
    '-i {{in_1}} -vf "fade=in:0:15,fade=t=out:st=1.5:d=0.5" -af afade=t=out:st=1.5:d=0.5 {{out_1}}',
  ),
  realCommand(
    'double speed',
    'a.mp4',
    '-i {{in_1}} -filter_complex "[0:v]setpts=0.5*PTS[v];[0:a]atempo=2.0[a]" -map "[v]" -map "[a]" {{out_1}}',
  ),
  realCommand('backwards', 'a.mp4', '-i {{in_1}} -vf reverse -af areverse {{out_1}}'),
  realCommand(
    'portrait with blurred sides',
    'a.mp4',
    '-i {{in_1}} -vf "split[a][b];[a]scale=180:320,boxblur=10[c];[b]scale=180:-2[d];[c][d]overlay=(W-w)/2:(H-h)/2" {{out_1}}',
  ),
  realCommand(
    'letter box',
    'a.mp4',
    '-i {{in_1}} -vf "scale=w=320:h=180:force_original_aspect_ratio=decrease,pad=320:180:(ow-iw)/2:(oh-ih)/2:color=black,setsar=1" {{out_1}}',
  ),
  realCommand(
    'expression with commas',
    'a.mp4',
    "-i {{in_1}} -vf scale='if(gt(a,16/9),320,-2)':'if(gt(a,16/9),-2,180)' {{out_1}}",
  ),
  realCommand(
    'crop',
    'a.mp4',
    raw`-i {{in_1}} -vf crop=in_w/2:in_h/2:min(10\,in_w):0,transpose=1 {{out_1}}`,
  ),
  realCommand(
    'zoom',
    'a.mp4',
    `-i {{in_1}} -vf "zoompan=z='min(zoom+0.0015,1.5)':d=1:x='iw/2-(iw/zoom/2)':s=160x90" {{out_1}}`,
  ),
  realCommand(
    'green screen',
    'a.mp4',
    '-i {{in_1}} -i {{in_2}} -filter_complex "[1:v]chromakey=0x00FF00:0.1:0.2[k];[0:v][k]overlay[o]" -map "[o]" -map 0:a {{out_1}}',
  ),
  realCommand(
    'equaliser and channels',
    'a.m4a',
    '-i {{in_1}} -vn -af "equalizer=f=1000:t=q:w=1:g=2,pan=mono|c0=.5*c0+.5*c1,highpass=f=200" {{out_1}}',
  ),
  realCommand(
    'silence removed',
    'a.wav',
    '-i {{in_1}} -af silenceremove=start_periods=1:start_threshold=-50dB:detection=peak {{out_1}}',
  ),
  realCommand(
    'compressor with slashes',
    'a.wav',
    '-i {{in_1}} -af compand=0.3|0.3:1|1:-90/-60|-60/-40|-40/-30|-20/-20:6:0:-90:0.2 {{out_1}}',
  ),
  realCommand(
    'waveform',
    'a.png',
    '-i {{in_1}} -filter_complex "aformat=channel_layouts=mono,showwavespic=s=320x60:colors=white" -frames:v 1 {{out_1}}',
  ),
  realCommand(
    'spectrum',
    'a.mp4',
    '-i {{in_1}} -filter_complex "[0:a]showspectrum=s=160x90:mode=combined:color=4[v]" -map "[v]" -map 0:a {{out_1}}',
  ),
  realCommand(
    'audio replaced',
    'a.mp4',
    '-i {{in_1}} -i {{in_2}} -c:v copy -map 0:v:0 -map 1:a:0 -shortest {{out_1}}',
  ),
  realCommand(
    'negative mapping',
    'a.mkv',
    '-i {{in_1}} -map 0 -map -0:s -map -0:d? -c copy {{out_1}}',
  ),
  realCommand(
    'metadata',
    'a.mp4',
    raw`-i {{in_1}} -c copy -map_metadata -1 -metadata title='My film' -metadata artist=It\'s -metadata:s:a:0 language=eng {{out_1}}`,
  ),
  realCommand(
    'cover picture',
    'a.mp4',
    '-i {{in_1}} -i {{in_2}} -map 0 -map 1:v -c copy -c:v:1 png -frames:v:1 1 -disposition:v:1 attached_pic {{out_1}}',
  ),
  realCommand(
    'attachment',
    'a.mkv',
    '-i {{in_1}} -attach {{in_3}} -metadata:s:t mimetype=text/plain -c copy {{out_1}}',
  ),
  realCommand(
    'generated',
    'a.mp4',
    '-f lavfi -i testsrc=duration=1:size=320x180:rate=25 -f lavfi -i "sine=frequency=1000:duration=1" -pix_fmt yuv420p {{out_1}}',
  ),
  realCommand(
    'generated with quotes',
    'a.mp4',
    `-f lavfi -i color=c='red':s=160x90:d=1,drawbox=x='10':t=fill {{out_1}}`,
  ),
]
