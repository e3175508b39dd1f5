/** A command whose result must be the same when it starts before its inputs are complete. */
export interface StreamedCase {
  readonly inputs: readonly string[]
  readonly command: string
  readonly output: string
  /** Number of inputs that FFmpeg begins to read before they are complete. */
  readonly streamed: number
}

const front = '-movflags +faststart'
const encoded = '-c:v libx264 -preset ultrafast -g 25 -c:a aac'
const copied = '-i fast.mp4 -c copy'

/** Arguments of FFmpeg by the name of the file that they make; later ones read earlier ones. */
export const streamedSources: Readonly<Record<string, string>> = {
  'fast.mp4': `-f lavfi -i testsrc2=s=320x180:r=25:d=6 -f lavfi -i sine=f=440:d=6 ${encoded} ${front} -metadata title=Hello`,
  'last.mp4': copied,
  'fragments.mp4': `${copied} -movflags +frag_keyframe+empty_moov`,
  'rotated.mp4': `-display_rotation 90 ${copied} ${front}`,
  'edited.mp4': `-ss 1.3 ${copied} ${front}`,
  'varying.mp4': `-i fast.mp4 -vf select='mod(n,3)' -fps_mode vfr ${encoded} ${front}`,
  'b-frames.mp4': `-i fast.mp4 -c:v libx264 -bf 3 -c:a copy ${front}`,
  'timecode.mov': `${copied} -timecode 01:00:00:00 ${front}`,
  'two.mp4': `-i fast.mp4 -map 0:v -map 0:a -map 0:a -c copy ${front}`,
  'clip.ts': copied,
  'clip.flv': copied,
  'clip.mkv': copied,
  'clip.mp3': '-i fast.mp4 -vn -metadata title=Hello',
  'tagged-behind.mp3': '-i fast.mp4 -vn -id3v2_version 0 -write_id3v1 1',
  'picture.png': '-f lavfi -i testsrc2=s=64x64 -frames:v 1',
}

const remux = '-i {{in_1}} -map 0:v -map 0:a -c copy -fflags +bitexact {{out_1}}'
const encode =
  '-i {{in_1}} -c:v libx264 -preset ultrafast -c:a aac -fflags +bitexact -t 4 {{out_1}}'
const palette =
  '-i {{in_1}} -vf "fps=5,scale=80:-1,split[a][b];[a]palettegen[p];[b][p]paletteuse" {{out_1}}'
const readable = [
  'fast.mp4',
  'rotated.mp4',
  'edited.mp4',
  'varying.mp4',
  'b-frames.mp4',
  'two.mp4',
  'clip.flv',
  'clip.mkv',
]
const unreadable = ['last.mp4', 'fragments.mp4', 'timecode.mov', 'clip.ts', 'tagged-behind.mp3']

export const streamedCases: readonly StreamedCase[] = [
  ...readable.flatMap((name) => [reads(name, remux, 'out.mkv'), reads(name, encode, 'out.mp4')]),
  ...['-vf fps=10,scale=160:-2 -an', '-ss 2.5 -t 1 -c:v mpeg4', '-to 3 -c copy'].map((options) =>
    reads('fast.mp4', `-i {{in_1}} ${options} -fflags +bitexact {{out_1}}`, 'out.mp4'),
  ),
  reads('fast.mp4', '-i {{in_1}} -vf thumbnail -frames:v 1 {{out_1}}', 'out.png'),
  reads('fast.mp4', palette, 'out.gif'),
  reads(
    'fast.mp4 picture.png',
    '-i {{in_1}} -i {{in_2}} -filter_complex overlay=10:10 -c:a copy {{out_1}}',
    'out.ts',
  ),
  reads(
    'fast.mp4 clip.flv',
    '-i {{in_1}} -i {{in_2}} -map 0:v -map 1:a -c copy -fflags +bitexact {{out_1}}',
    'out.mkv',
    2,
  ),
  ...['-c copy', '-t 3'].map((options) =>
    reads('clip.mp3', `-i {{in_1}} ${options} {{out_1}}`, 'out.mp3'),
  ),
  ...unreadable.map((name) =>
    reads(name, '-i {{in_1}} -vn -fflags +bitexact {{out_1}}', 'out.wav', 0),
  ),
  reads('fast.mp4', '-ss 2 -i {{in_1}} -c copy -fflags +bitexact {{out_1}}', 'out.mp4', 0),
]

function reads(inputs: string, command: string, output: string, streamed = 1): StreamedCase {
  return { inputs: inputs.split(' '), command, output, streamed }
}
