import path from 'node:path'
import { stat } from 'node:fs/promises'
import type { SingleSubmission } from '../../../cli/client/client.ts'
import type { HostPeer } from './host-peer.ts'

/** One command of B1, in the same words for the service, the script and bare FFmpeg. */
export interface Workload {
  readonly name: string
  /** A name of `bodySamples`. */
  readonly input: string
  /** Between input and output. */
  readonly options: readonly string[]
  readonly output: string
  /** Total of the service / total of the script, at the rate where the transfers outweigh the rest. */
  readonly scriptAim?: number
}

const copy = ['-c', 'copy']
const x264 = ['-c:v', 'libx264', '-c:a', 'copy']

export const shortWorkloads: readonly Workload[] = [
  {
    name: 'remux-mp4-ts',
    input: 'body.mp4',
    options: copy,
    output: 'remux.ts',
    scriptAim: 0.6,
  },
  // The first 5 MiB of Matroska leave last: FFmpeg writes them again when it closes the file.
  { name: 'remux-mp4-mkv', input: 'body.mp4', options: copy, output: 'remux.mkv' },
  // A transport stream is complete before FFmpeg reads it, which then takes a moment.
  { name: 'remux-ts-mkv', input: 'body.ts', options: copy, output: 'remux.mkv' },
  {
    name: 'encode-5s',
    input: 'body.mp4',
    output: 'small.mkv',
    options: ['-vf', 'scale=480:-2', ...x264, '-preset', 'superfast'],
  },
  {
    name: 'thumbnail',
    input: 'body.mp4',
    output: 'thumb.jpg',
    options: ['-frames:v', '1'],
  },
]

export const longWorkloads: readonly Workload[] = [
  ...shortWorkloads,
  {
    name: 'encode-30s',
    input: 'body.mp4',
    output: 'large.mkv',
    options: [...x264, '-preset', 'slow'],
  },
]

export function submissionOf(workload: Workload, inputUrl: string): SingleSubmission {
  const { options, output } = workload
  return {
    input_files: { in_1: inputUrl },
    output_files: { out_1: output },
    ffmpeg_command: ['-i', '{{in_1}}', ...options, '{{out_1}}'].join(' '),
    vcpu_count: 2,
  }
}

export function bareArguments({ input, options, output }: Workload): string[] {
  return ['-i', `DIR/${input}`, ...options, '-threads', '2', `DIR/${output}`]
}

/** Fetch, run, store, one after the other. */
export function scriptLines(workload: Workload, inputUrl: string): string[] {
  const { options, output } = workload
  const fetched = `fetched-${workload.input}`
  const args = ['-i', `DIR/${fetched}`, ...options, '-threads', '2', `DIR/${output}`]
  return [
    `curl -sSf -o ${fetched} '${inputUrl}'`,
    `$FFMPEG ${args.join(' ')}`,
    `$AWS s3 cp --only-show-errors ${output} $BUCKET/bench/${output}`,
  ]
}

/** Makes what B1's commands read, 30 MB each: noise, because a test picture is next to nothing. */
export async function makeBodySamples(host: HostPeer): Promise<void> {
  await host.ffmpeg([
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=1280x720:rate=25:duration=30',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=30',
    '-vf',
    'noise=alls=40:allf=t',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-b:v',
    '7500k',
    '-maxrate',
    '7500k',
    '-minrate',
    '7500k',
    '-bufsize',
    '3000k',
    'DIR/body.ts',
  ])
  await host.ffmpeg(['-i', 'DIR/body.ts', '-c', 'copy', '-movflags', '+faststart', 'DIR/body.mp4'])
}

/** In bytes. */
export async function sizeOf(host: HostPeer, name: string): Promise<number> {
  return (await stat(path.join(host.folder, name))).size
}
