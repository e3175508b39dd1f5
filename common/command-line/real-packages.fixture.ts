import type { CommandSubmission } from './plan.ts'
import { realCommand, type RealCommand } from './real-commands.fixture.ts'

const playlist = (name: string): Partial<CommandSubmission> => ({
  outputs: { out_playlist_1: name },
})

const folder: Partial<CommandSubmission> = {
  inputAliases: [],
  outputs: 'OUTPUT_FOLDER',
  inputFolder: true,
}

const chain = (
  title: string,
  outputs: Record<string, string>,
  commands: string[],
): RealCommand => ({ ...realCommand(title, '', ''), commands, outputs, chained: true })

/** Commands with several outputs or steps, with playlists, folders or pass logs. */
export const realPackages: readonly RealCommand[] = [
  realCommand('two outputs', '', '-i {{in_1}} -map 0:v {{out_1}} -map 0:a -b:a 64k {{out_2}}', {
    outputs: { out_1: 'v.mp4', out_2: 'a.aac' },
  }),
  realCommand(
    'ladder',
    '',
    '-i {{in_1}} -filter_complex "[0:v]split=2[a][b];[a]scale=-2:90[x];[b]scale=-2:180[y]" -map "[x]" -map 0:a {{out_1}} -map "[y]" -map 0:a {{out_2}}',
    { outputs: { out_1: 'small.mp4', out_2: 'large.mp4' } },
  ),
  realCommand(
    'tee',
    '',
    '-i {{in_1}} -map 0 -c:v libx264 -c:a aac -f tee "[f=mp4:movflags=+faststart]{{out_1}}|[f=mpegts]{{out_2}}"',
    { outputs: { out_1: 'a.mp4', out_2: 'a.ts' } },
  ),
  realCommand(
    'HLS',
    '',
    '-i {{in_1}} -c:v libx264 -c:a aac -f hls -hls_time 1 -hls_playlist_type vod -hls_segment_filename seg%03d.ts {{out_playlist_1}}',
    playlist('playlist.m3u8'),
  ),
  realCommand(
    'fragmented HLS',
    '',
    '-i {{in_1}} -f hls -hls_segment_type fmp4 -hls_fmp4_init_filename init.mp4 -hls_list_size 0 {{out_playlist_1}}',
    playlist('a.m3u8'),
  ),
  realCommand(
    'HLS variants',
    '',
    '-i {{in_1}} -filter_complex "[0:v]split=2[a][b];[a]scale=-2:90[x];[b]scale=-2:180[y]" -map "[x]" -map "[y]" -map 0:a -map 0:a -f hls -var_stream_map "v:0,a:0 v:1,a:1" -master_pl_name {{out_playlist_1}} -hls_segment_filename "v%v/seg%d.ts" v%v/part.m3u8',
    playlist('master.m3u8'),
  ),
  realCommand(
    'DASH',
    '',
    '-i {{in_1}} -map 0:v -map 0:a -f dash -seg_duration 1 -init_seg_name init-$RepresentationID$.m4s -media_seg_name chunk-$RepresentationID$-$Number%05d$.m4s -adaptation_sets "id=0,streams=v id=1,streams=a" {{out_playlist_1}}',
    playlist('manifest.mpd'),
  ),
  realCommand(
    'HLS leg of tee',
    '',
    `-i {{in_1}} -map 0 -c:v libx264 -c:a aac -f tee "[f=hls:hls_time=1:hls_segment_filename=s%d.ts]{{out_playlist_1}}|[f=mp4]{{out_1}}"`,
    { outputs: { out_playlist_1: 'p.m3u8', out_1: 'a.mp4' } },
  ),
  realCommand(
    'segments of a playlist in a zip',
    '',
    '-i list/recording.m3u8 -c copy -f segment -segment_time 1 -reset_timestamps 1 part%03d.mp4',
    folder,
  ),
  realCommand(
    'pictures in a zip',
    '',
    '-framerate 5 -i frame_%03d.png -c:v libx264 -pix_fmt yuv420p out/film.mp4',
    folder,
  ),
  realCommand(
    'pictures by pattern',
    '',
    "-framerate 5 -pattern_type glob -i '*.png' film.mp4",
    folder,
  ),
  realCommand('all frames', '', '-i {{in_1}} -vf fps=2 frames/frame_%04d.jpg', {
    outputs: 'OUTPUT_FOLDER',
  }),
  realCommand(
    'subtitles in a zip',
    '',
    '-i clip.mp4 -vf subtitles=x.srt:fontsdir=. out.mp4',
    folder,
  ),
  realCommand(
    'quality figures',
    '',
    '-i {{in_1}} -i {{in_2}} -lavfi "[0:v][1:v]psnr=stats_file={{out_1}};[0:v][1:v]ssim=f={{out_2}}" -f null -',
    { outputs: { out_1: 'psnr.log', out_2: 'ssim.log' } },
  ),
  realCommand(
    'frame figures',
    'a.txt',
    '-i {{in_1}} -vf "signalstats,metadata=mode=print:file={{out_1}}" -an -f null -',
  ),
  chain('two passes', { out_1: 'a.mp4' }, [
    '-y -i {{in_1}} -c:v libx264 -b:v 200k -pass 1 -passlogfile log -an -f mp4 /dev/null',
    '-i {{in_1}} -c:v libx264 -b:v 200k -pass 2 -passlogfile log -c:a aac {{out_1}}',
  ]),
  chain('two passes of x265', { out_1: 'a.mp4' }, [
    '-i {{in_1}} -c:v libx265 -preset ultrafast -b:v 200k -x265-params pass=1 -an -f null /dev/null',
    '-i {{in_1}} -c:v libx265 -preset ultrafast -b:v 200k -x265-params pass=2 -an {{out_1}}',
  ]),
  chain('stabilisation', { out_1: 'a.mp4' }, [
    '-i {{in_1}} -vf vidstabdetect=shakiness=5:result=transforms.trf -f null -',
    '-i {{in_1}} -vf vidstabtransform=input=transforms.trf:smoothing=10,unsharp=5:5:0.8:3:3:0.4 {{out_1}}',
  ]),
  chain('palette in two steps', { out_1: 'palette.png', out_2: 'a.gif' }, [
    '-i {{in_1}} -vf fps=5,scale=160:-1,palettegen {{out_1}}',
    '-i {{in_1}} -i {{out_1}} -lavfi "fps=5,scale=160:-1[x];[x][1:v]paletteuse" {{out_2}}',
  ]),
  chain('film and thumbnail', { out_1: 'both.mp4', out_2: 'thumb.jpg' }, [
    '-i {{in_1}} -i {{in_2}} -filter_complex "[0:v][1:v]hstack=inputs=2[v]" -map "[v]" {{out_1}}',
    '-i {{out_1}} -frames:v 1 {{out_2}}',
  ]),
]
