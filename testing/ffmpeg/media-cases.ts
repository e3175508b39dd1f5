import type { MediaFacts } from '../../common/gateway/messages.ts'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'

/** A file and what its record says of it. */
export interface MediaCase {
  readonly name: string
  readonly file: string
  /** Made by FFmpeg from its own sources, or these bytes. */
  readonly made: readonly string[] | Buffer
  readonly streams: number | null
  readonly facts: Partial<MediaFacts>
}

const picture = ['-f', 'lavfi', '-i', 'testsrc2=d=2:s=128x96']
const tone = ['-f', 'lavfi', '-i', 'sine=d=2']
const nothing: MediaFacts = {
  ...unknownMedia,
  file_type: 'other',
  mime_type: 'application/octet-stream',
}

export const mediaCases: readonly MediaCase[] = [
  {
    name: 'in an MP4',
    file: 'plain.mp4',
    made: [...picture, ...tone, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-b:a', '64k'],
    streams: 2,
    facts: {
      duration: 2,
      file_type: 'video',
      file_format: 'mp4',
      width: 128,
      height: 96,
      codec: 'h264',
      timebase: '1/12800',
      pixel_format: 'yuv420p',
      mime_type: 'video/mp4',
      frame_rate: 25,
      video_profile_level: 'High@1.0',
      is_varying_frame_rate: false,
    },
  },
  {
    name: 'in an MP4 that is to be turned by 90 degrees: the size as shown',
    file: 'turned.mp4',
    made: ['-display_rotation', '90', '-i', 'plain.mp4', '-c', 'copy'],
    streams: 2,
    facts: { width: 96, height: 128, file_type: 'video' },
  },
  {
    name: 'in a fragmented MP4, whose average rate misleads',
    file: 'fragmented.mp4',
    made: ['-i', 'plain.mp4', '-c', 'copy', '-movflags', 'frag_keyframe+empty_moov'],
    streams: 2,
    facts: { is_varying_frame_rate: false },
  },
  {
    name: 'in a video whose frames come as they like',
    file: 'varying.mp4',
    made: [...picture, '-vf', "select='not(mod(n,7))+not(mod(n,3))'", '-fps_mode', 'vfr'],
    streams: 1,
    facts: { is_varying_frame_rate: true },
  },
  {
    name: 'in the same as Matroska, which claims one rate',
    file: 'varying.mkv',
    made: ['-i', 'varying.mp4', '-c', 'copy'],
    streams: 1,
    facts: {
      is_varying_frame_rate: true,
      file_format: 'mkv',
      mime_type: 'video/x-matroska',
      timebase: '1/1000',
    },
  },
  {
    name: 'in a Matroska of 30 frames a second, whose milliseconds alternate',
    file: 'thirty.mkv',
    made: ['-f', 'lavfi', '-i', 'testsrc2=d=2:s=128x96:r=30', ...tone, '-c:a', 'libopus'],
    streams: 2,
    facts: { is_varying_frame_rate: false, frame_rate: 30, file_type: 'video' },
  },
  {
    name: 'in a WebM',
    file: 'small.webm',
    made: [...picture, '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'],
    streams: 1,
    facts: { file_format: 'webm', codec: 'vp9', video_profile_level: 'Profile 0', duration: 2 },
  },
  {
    name: 'in a transport stream',
    file: 'stream.ts',
    made: ['-i', 'plain.mp4', '-c', 'copy'],
    streams: 2,
    facts: { file_format: 'ts', mime_type: 'video/mp2t', timebase: '1/90000', frame_rate: 25 },
  },
  {
    name: 'in HEVC, whose levels count in thirtieths',
    file: 'hevc.mp4',
    made: [...picture, '-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    streams: 1,
    facts: { codec: 'hevc', video_profile_level: 'Main@1.0' },
  },
  {
    name: 'in raw H.264, which has no clock',
    file: 'raw.h264',
    made: ['-i', 'plain.mp4', '-c:v', 'copy', '-an'],
    streams: 1,
    facts: { duration: null, file_type: 'video', file_format: 'h264', bitrate_video_kb: null },
  },
  {
    name: 'in an MP3 with a cover: a sound file',
    file: 'song.mp3',
    made: [
      ...tone,
      ...picture,
      ...'-map 0 -map 1 -frames:v 1 -disposition:v attached_pic'.split(' '),
    ],
    streams: 2,
    facts: {
      file_type: 'audio',
      file_format: 'mp3',
      codec: 'mp3',
      width: null,
      height: null,
      pixel_format: null,
      frame_rate: null,
      is_varying_frame_rate: null,
      mime_type: 'audio/mpeg',
    },
  },
  {
    name: 'in a WAV',
    file: 'tone.wav',
    made: tone,
    streams: 1,
    facts: {
      ...nothing,
      ...sound('wav'),
      codec: 'pcm_s16le',
      duration: 2,
      bitrate_audio_kb: 689.0625,
    },
  },
  {
    name: 'in a FLAC, which states no rate of its stream',
    file: 'tone.flac',
    made: tone,
    streams: 1,
    facts: { file_type: 'audio', file_format: 'flac', duration: 2 },
  },
  {
    name: 'in a GIF that moves',
    file: 'moving.gif',
    made: picture,
    streams: 1,
    facts: {
      file_type: 'image',
      file_format: 'gif',
      pixel_format: 'bgra',
      bitrate_video_kb: null,
      frame_rate: 25,
      duration: 2,
    },
  },
  {
    name: 'in a JPEG, which claims a twenty-fifth of a second',
    file: 'still.jpg',
    made: [...picture, '-frames:v', '1'],
    streams: 1,
    facts: {
      ...nothing,
      file_type: 'image',
      file_format: 'jpg',
      mime_type: 'image/jpeg',
      width: 128,
      height: 96,
      codec: 'mjpeg',
      pixel_format: 'yuvj420p',
      timebase: '1/25',
      video_profile_level: 'Baseline',
    },
  },
  {
    name: 'in a PNG',
    file: 'still.png',
    made: [...picture, '-frames:v', '1'],
    streams: 1,
    facts: { file_type: 'image', file_format: 'png', duration: null, frame_rate: null },
  },
  {
    name: 'in an AVIF, a picture in the clothes of a video',
    file: 'still.avif',
    made: [...picture, '-frames:v', '1', '-c:v', 'libaom-av1', '-cpu-used', '8'],
    streams: 1,
    facts: { file_type: 'image', duration: null, mime_type: 'image/avif', codec: 'av1' },
  },
  {
    name: 'in subtitles, whose end only their packets tell',
    file: 'words.srt',
    made: Buffer.from(
      '1\n00:00:00,500 --> 00:00:01,500\na\n\n2\n00:00:02,000 --> 00:00:02,900\nb\n',
    ),
    streams: 1,
    facts: {
      ...nothing,
      file_type: 'subtitles',
      file_format: 'srt',
      codec: 'subrip',
      duration: 2.9,
      mime_type: 'application/x-subrip',
    },
  },
  {
    name: 'in a playlist',
    file: 'list.m3u8',
    made: ['-i', 'plain.mp4', '-c', 'copy', '-f', 'hls'],
    streams: 2,
    facts: {
      file_type: 'output_manifest',
      file_format: 'm3u8',
      mime_type: 'application/vnd.apple.mpegurl',
      duration: 2,
    },
  },
  {
    name: 'in a DASH manifest',
    file: 'list.mpd',
    made: ['-i', 'plain.mp4', '-c', 'copy', '-f', 'dash'],
    streams: 2,
    facts: { file_type: 'output_manifest', file_format: 'mpd', mime_type: 'application/dash+xml' },
  },
  {
    name: 'in an MP4 without a single stream',
    file: 'empty.mp4',
    made: [...picture, '-ss', '10', '-c:v', 'mpeg4'],
    streams: 0,
    facts: { duration: null, file_type: 'other' },
  },
  {
    name: 'behind a false name: what the content says',
    file: 'false.jpg',
    made: ['-i', 'plain.mp4', '-c', 'copy', '-f', 'mp4'],
    streams: 2,
    facts: { file_type: 'video', codec: 'h264', mime_type: 'video/quicktime' },
  },
  {
    name: 'in text: nothing',
    file: 'notes.txt',
    made: Buffer.from('hello\n'.repeat(200)),
    streams: null,
    facts: { ...nothing, mime_type: 'text/plain' },
  },
  {
    name: 'in a zip: that it is one',
    file: 'frames.zip',
    made: Buffer.from('PK\u0003\u0004 and so on', 'latin1'),
    streams: null,
    facts: { ...nothing, file_type: 'zip', file_format: 'zip', mime_type: 'application/zip' },
  },
]

function sound(format: string): Partial<MediaFacts> {
  return {
    file_type: 'audio',
    file_format: format,
    timebase: '1/44100',
    mime_type: `audio/${format}`,
  }
}
