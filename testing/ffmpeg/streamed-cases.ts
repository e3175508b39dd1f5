/** FFmpeg's arguments without the name of what it makes, which may read those made before. */
export interface StreamedSource {
  readonly name: string
  readonly argv: readonly string[]
}

export interface StreamedCase {
  readonly inputs: readonly string[]
  readonly command: string
  readonly output: string
  /** How many of the inputs FFmpeg begins to read before they are complete. */
  readonly streamed: number
}

const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=6']
const sound = ['-f', 'lavfi', '-i', 'sine=f=440:d=6']
const encoded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac']
const front = ['-movflags', '+faststart']
const copied = ['-i', 'fast.mp4', '-c', 'copy']

export const streamedSources: readonly StreamedSource[] = [
  {
    name: 'fast.mp4',
    argv: [...picture, ...sound, ...encoded, ...front, '-metadata', 'title=Hello'],
  },
  { name: 'last.mp4', argv: copied },
  { name: 'fragments.mp4', argv: [...copied, '-movflags', '+frag_keyframe+empty_moov'] },
  { name: 'rotated.mp4', argv: ['-display_rotation', '90', ...copied, ...front] },
  { name: 'edited.mp4', argv: ['-ss', '1.3', ...copied, ...front] },
  {
    name: 'varying.mp4',
    argv: ['-i', 'fast.mp4', '-vf', "select='mod(n,3)'", '-fps_mode', 'vfr', ...encoded, ...front],
  },
  {
    name: 'b-frames.mp4',
    argv: ['-i', 'fast.mp4', '-c:v', 'libx264', '-bf', '3', '-c:a', 'copy', ...front],
  },
  { name: 'timecode.mov', argv: [...copied, '-timecode', '01:00:00:00', ...front] },
  {
    name: 'two.mp4',
    argv: ['-i', 'fast.mp4', '-map', '0:v', '-map', '0:a', '-map', '0:a', '-c', 'copy', ...front],
  },
  { name: 'clip.ts', argv: copied },
  { name: 'clip.flv', argv: copied },
  { name: 'clip.mkv', argv: copied },
  { name: 'clip.mp3', argv: ['-i', 'fast.mp4', '-vn', '-metadata', 'title=Hello'] },
  {
    name: 'tagged-behind.mp3',
    argv: ['-i', 'fast.mp4', '-vn', '-id3v2_version', '0', '-write_id3v1', '1'],
  },
  {
    name: 'picture.png',
    argv: ['-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1'],
  },
]

const remux = '-i {{in_1}} -map 0:v -map 0:a -c copy -fflags +bitexact {{out_1}}'
const encode =
  '-i {{in_1}} -c:v libx264 -preset ultrafast -c:a aac -fflags +bitexact -t 4 {{out_1}}'
const readable = [
  ...['fast.mp4', 'rotated.mp4', 'edited.mp4', 'varying.mp4', 'b-frames.mp4', 'two.mp4'],
  ...['clip.flv', 'clip.mkv'],
]

export const streamedCases: readonly StreamedCase[] = [
  ...readable.flatMap((name) => [
    { inputs: [name], command: remux, output: 'out.mkv', streamed: 1 },
    { inputs: [name], command: encode, output: 'out.mp4', streamed: 1 },
  ]),
  ...['-vf fps=10,scale=160:-2 -an', '-ss 2.5 -t 1 -c:v mpeg4', '-to 3 -c copy'].map((options) => ({
    ...{ inputs: ['fast.mp4'], output: 'out.mp4', streamed: 1 },
    command: `-i {{in_1}} ${options} -fflags +bitexact {{out_1}}`,
  })),
  {
    ...{ inputs: ['fast.mp4'], output: 'out.png', streamed: 1 },
    command: '-i {{in_1}} -vf thumbnail -frames:v 1 {{out_1}}',
  },
  {
    ...{ inputs: ['fast.mp4'], output: 'out.gif', streamed: 1 },
    command:
      '-i {{in_1}} -vf "fps=5,scale=80:-1,split[a][b];[a]palettegen[p];[b][p]paletteuse" {{out_1}}',
  },
  {
    ...{ inputs: ['fast.mp4', 'picture.png'], output: 'out.ts', streamed: 1 },
    command: '-i {{in_1}} -i {{in_2}} -filter_complex overlay=10:10 -c:a copy {{out_1}}',
  },
  {
    ...{ inputs: ['fast.mp4', 'clip.flv'], output: 'out.mkv', streamed: 2 },
    command: '-i {{in_1}} -i {{in_2}} -map 0:v -map 1:a -c copy -fflags +bitexact {{out_1}}',
  },
  ...['-c copy', '-t 3'].map((options) => ({
    ...{ inputs: ['clip.mp3'], output: 'out.mp3', streamed: 1 },
    command: `-i {{in_1}} ${options} {{out_1}}`,
  })),
  ...[...['last.mp4', 'fragments.mp4', 'timecode.mov', 'clip.ts', 'tagged-behind.mp3']].map(
    (name) => ({
      ...{ inputs: [name], output: 'out.wav', streamed: 0 },
      command: '-i {{in_1}} -vn -fflags +bitexact {{out_1}}',
    }),
  ),
  {
    ...{ inputs: ['fast.mp4'], output: 'out.mp4', streamed: 0 },
    command: '-ss 2 -i {{in_1}} -c copy -fflags +bitexact {{out_1}}',
  },
]
