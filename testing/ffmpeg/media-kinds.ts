import type { MediaFacts } from '../../common/gateway/messages.ts'

/** Each kind of file: its name, how it is made or its bytes, its streams, and what its record says. */
export type MediaKind = readonly [
  file: string,
  made: string | Buffer,
  streams: number | null,
  facts: Partial<MediaFacts>,
]

const picture = '-f lavfi -i testsrc2=d=2:s=128x96'
const tone = '-f lavfi -i sine=d=2'
const h264 = '-c:v libx264 -pix_fmt yuv420p'
const image = { file_type: 'image', duration: null, frame_rate: null, bitrate_video_kb: null }
const other = { file_type: 'other', file_format: null, duration: null, codec: null }
const flat = { width: 128, height: 96 }
const silent = { width: null, height: null, pixel_format: null, frame_rate: null }

/** In order: later ones are made of earlier ones. */
export const mediaKinds: readonly MediaKind[] = [
  ['base.mp4', `${picture} ${tone} ${h264}`, 2, { file_type: 'video', ...flat }],
  // pictures
  ['still.png', `${picture} -frames:v 1`, 1, { ...image, ...flat, file_format: 'png' }],
  ['still.webp', `${picture} -frames:v 1`, 1, { ...image, ...flat, mime_type: 'image/webp' }],
  [
    'moving.webp',
    `${picture} -c:v libwebp_anim`,
    1,
    { ...image, width: null, height: null, file_format: 'webp' },
  ],
  [
    'moving.apng',
    `${picture} -f apng`,
    1,
    { file_type: 'image', file_format: 'apng', frame_rate: 25, duration: 2 },
  ],
  ['still.tiff', `${picture} -frames:v 1`, 1, { ...image, mime_type: 'image/tiff' }],
  ['still.bmp', `${picture} -frames:v 1`, 1, { ...image, mime_type: 'image/bmp', codec: 'bmp' }],
  ['still.jxl', `${picture} -frames:v 1`, 1, { ...image, file_format: 'jxl', codec: 'jpegxl' }],
  ['still.gif', `${picture} -frames:v 1`, 1, { ...image, file_format: 'gif' }],
  ['still.ppm', `${picture} -frames:v 1`, 1, { ...image, file_format: 'ppm' }],
  [
    'full.jpg',
    `${picture} -frames:v 1 -pix_fmt yuvj444p`,
    1,
    { ...image, file_format: 'jpg', codec: 'mjpeg', pixel_format: 'yuvj444p' },
  ],
  [
    'drawn.svg',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>'),
    1,
    { ...image, file_format: 'svg', mime_type: 'application/octet-stream' },
  ],
  // covers
  [
    'cover.mp4',
    '-i base.mp4 -i still.png -map 0 -map 1 -c copy -disposition:v:1 attached_pic',
    3,
    { file_type: 'video', codec: 'h264', frame_rate: 25, ...flat },
  ],
  [
    'cover.m4a',
    `${tone} -i still.png -map 0 -map 1 -c:v copy -disposition:v attached_pic`,
    2,
    { file_type: 'audio', file_format: 'm4a', mime_type: 'audio/mp4', codec: 'aac', ...silent },
  ],
  [
    'cover.flac',
    `${tone} -i still.png -map 0 -map 1 -c:v copy -disposition:v attached_pic`,
    2,
    { file_type: 'audio', file_format: 'flac', ...silent },
  ],
  // shape
  ['turned270.mp4', '-display_rotation 270 -i base.mp4 -c copy', 2, { width: 96, height: 128 }],
  ['turned180.mp4', '-display_rotation 180 -i base.mp4 -c copy', 2, flat],
  ['turned-90.mov', '-display_rotation -90 -i base.mp4 -c copy', 2, { width: 96, height: 128 }],
  ['anamorphic.mp4', `${picture} -vf setsar=2 ${h264}`, 1, flat],
  // codecs and levels
  [
    'baseline.mp4',
    `${picture} ${h264} -profile:v baseline -level 3.1`,
    1,
    { video_profile_level: 'Constrained Baseline@3.1', bitrate_audio_kb: null },
  ],
  [
    'hdr.mp4',
    `${picture} -vf format=yuv420p10le -c:v libx265 -x265-params transfer=smpte2084:hdr10=1`,
    1,
    { pixel_format: 'yuv420p10le', video_profile_level: 'Main 10@1.0' },
  ],
  [
    'av1.mp4',
    `${picture} -pix_fmt yuv420p -c:v libsvtav1 -preset 12`,
    1,
    { codec: 'av1', video_profile_level: 'Main@2.0' },
  ],
  [
    'mpeg2.vob',
    `${picture} ${tone} -f vob`,
    2,
    { codec: 'mpeg2video', video_profile_level: 'Main@Main', file_format: 'mpg' },
  ],
  ['vp8.webm', `${picture} -c:v libvpx -deadline realtime`, 1, { codec: 'vp8', duration: 2 }],
  // containers
  ['x.avi', `${picture} ${tone}`, 2, { mime_type: 'video/x-msvideo', file_format: 'avi' }],
  ['x.flv', `${picture} ${tone}`, 2, { mime_type: 'video/x-flv', file_format: 'flv' }],
  ['x.mov', `${picture} -c:v prores_ks`, 1, { codec: 'prores', video_profile_level: 'HQ' }],
  ['x.3gp', `${picture} -s 176x144 -c:v h263`, 1, { mime_type: 'video/3gpp', file_format: '3gp' }],
  ['x.ogv', `${picture} ${tone} -c:v libtheora`, 2, { mime_type: 'video/ogg', file_type: 'video' }],
  ['x.m4v', picture, 1, { mime_type: 'video/x-m4v', file_type: 'video' }],
  ['x.wmv', `${picture} ${tone}`, 2, { file_format: 'asf', file_type: 'video' }],
  ['timecode.mov', '-i base.mp4 -c copy -timecode 00:00:00:00', 3, { codec: 'h264' }],
  [
    'raw.hevc',
    '-i hdr.mp4 -c copy',
    1,
    { duration: null, file_format: 'hevc', is_varying_frame_rate: null },
  ],
  ['ntsc.mp4', `${picture}:r=30000/1001 ${h264}`, 1, { frame_rate: 30000 / 1001 }],
  [
    'part.m4s',
    '-i base.mp4 -c copy -f mp4 -movflags frag_keyframe+empty_moov',
    2,
    { mime_type: 'video/iso.segment' },
  ],
  // sound
  ['tone.ogg', `${tone} -c:a libvorbis`, 1, { file_type: 'audio', mime_type: 'audio/ogg' }],
  ['tone.opus', tone, 1, { codec: 'opus', mime_type: 'audio/ogg', file_format: 'ogg' }],
  ['tone.aac', tone, 1, { codec: 'aac', mime_type: 'audio/aac', file_format: 'aac' }],
  ['tone.m4a', tone, 1, { file_format: 'm4a', timebase: '1/44100', ...silent }],
  ['tone.ac3', tone, 1, { codec: 'ac3', file_type: 'audio', bitrate_audio_kb: 93.75 }],
  ['tone.mp3', `${tone} -b:a 128k`, 1, { bitrate_audio_kb: 125, mime_type: 'audio/mpeg' }],
  ['tone.webm', tone, 1, { file_type: 'audio', file_format: 'webm', ...silent }],
  ['five.wav', '-f lavfi -i anullsrc=5.1 -t 2', 1, { bitrate_audio_kb: 4134.375, duration: 2 }],
  ['sound.ts', tone, 1, { file_type: 'audio', file_format: 'ts', mime_type: 'video/mp2t' }],
  // words
  ['words.srt', Buffer.from('1\n00:00:00,500 --> 00:00:02,900\na\n'), 1, { duration: 2.9 }],
  ['words.vtt', '-i words.srt', 1, { file_format: 'vtt', mime_type: 'text/vtt', duration: 2.9 }],
  ['words.ass', '-i words.srt', 1, { file_format: 'ass', mime_type: 'text/x-ssa' }],
  ['words.mkv', '-i words.srt -c copy', 1, { file_type: 'subtitles', codec: 'subrip' }],
  ['all.mkv', '-i base.mp4 -i words.srt -map 0 -map 1 -c copy', 3, { file_type: 'video' }],
  // playlists
  ['sound.m3u8', `${tone} -f hls`, 1, { file_type: 'output_manifest', width: null }],
  // not media
  ['broken.mp4', Buffer.alloc(5000, 7), null, { ...other, mime_type: 'video/mp4' }],
  ['nothing.mp4', Buffer.alloc(0), null, other],
  ['data.json', Buffer.from('{"a": 1}'), null, { ...other, mime_type: 'application/json' }],
  ['page.html', Buffer.from('<!doctype html>'), null, { mime_type: 'application/octet-stream' }],
  ['rows.csv', Buffer.from('a,b\n1,2\n'), null, { ...other, mime_type: 'text/plain' }],
  ['meta.txt', '-i base.mp4 -f ffmetadata', 0, { file_type: 'other', duration: null }],
  // names that lie
  ['sound.mp4', '-i tone.mp3 -c copy -f mp3', 1, { file_type: 'audio', mime_type: 'audio/mpeg' }],
  ['png.jpg', '-i still.png -c copy -f image2', 1, { ...image, mime_type: 'image/png' }],
  ['video.zip', '-i base.mp4 -c copy -f mp4', 2, { file_type: 'video', codec: 'h264' }],
  ['nameless', '-i base.mp4 -c copy -f matroska', 2, { file_format: 'mkv' }],
  ['LOUD.MP4', '-i base.mp4 -c copy', 2, { file_format: 'mp4', mime_type: 'video/mp4' }],
]
