import { milliseconds } from './bodies/host-peer.ts'
import { withStorageRig } from './bodies/storage-rig.ts'
import { assertManifestLast } from './bodies/body-figures.ts'
import type { BenchEnvironment } from './cluster/environment.ts'
import type { Figure } from './figure/figure.ts'
import { tinyCommand, runSubmission } from './cluster/measure-command.ts'
import { median } from './figure/statistics.ts'

/** A playlist of segments of 200 KB, stored at 60 MB/s. */
export async function b10(
  environment: BenchEnvironment,
  { segments, rounds }: { readonly segments: number; readonly rounds: number },
): Promise<Figure[]> {
  const { client, say } = environment
  const options = playlistOptions(segments)
  const submission = {
    input_files: {},
    output_files: { out_playlist_1: 'list.m3u8' },
    ffmpeg_command: [...options, '{{out_playlist_1}}'].join(' '),
    vcpu_count: 2,
  }
  return withStorageRig(environment, async (rig) => {
    const { host, sink } = rig
    const script = [
      'mkdir -p list',
      `$FFMPEG ${[...options, '-threads', '2', 'DIR/list/list.m3u8'].join(' ')}`,
      '$AWS s3 cp --recursive --only-show-errors list $BUCKET/bench/list',
    ]
    const bare = [...options, '-threads', '2', 'DIR/bare/list.m3u8']
    await host.script(['mkdir -p bare'])
    const times = { start: [], bare: [], script: [], overlapped: [], 'in-sequence': [] } as Record<
      'start' | 'bare' | 'script' | 'overlapped' | 'in-sequence',
      number[]
    >
    for (let round = 0; round < rounds; round += 1) {
      for (const form of round % 2 === 0 ? forms : forms.toReversed()) {
        say(`b10, round ${round + 1} of ${rounds}, ${form} (usually 20 to 120 s)`)
        const on = form === 'overlapped'
        await rig.overlap({ inputs: on, outputs: on })
        rig.cap(60)
        await runSubmission(client, tinyCommand)
        times.start.push((await runSubmission(client, tinyCommand)).totalMs)
        const before = sink.puts.length
        times[form].push((await runSubmission(client, submission)).totalMs)
        assertManifestLast(sink.puts.slice(before), segments)
        times.bare.push(await milliseconds(() => host.ffmpeg(bare)))
        times.script.push(await milliseconds(() => host.script(script)))
      }
    }
    const start = median(times.start)
    const encode = median(times.bare)
    return [
      { name: 'b10.start', value: start, unit: 'ms' },
      { name: 'b10.encode-only', value: encode, unit: 'ms' },
      ...(['script', 'in-sequence', 'overlapped'] as const).map((name): Figure => {
        const value = median(times[name])
        return {
          ...{ name: `b10.${name}`, value, unit: 'ms', ratio: value / encode },
          ...(name === 'overlapped' ? { limit: 1.05 * encode + start } : {}),
        }
      }),
    ]
  })
}

const forms = ['overlapped', 'in-sequence'] as const

/** 0.2 s of 8 Mbit/s each. */
function playlistOptions(segments: number): string[] {
  return [
    ...['-f', 'lavfi', '-i', `testsrc2=duration=${segments / 5}:size=640x360:rate=25`],
    ...['-vf', 'noise=alls=60:allf=t', '-c:v', 'mpeg2video', '-pix_fmt', 'yuv420p', '-g', '5'],
    ...['-b:v', '8M', '-minrate', '8M', '-maxrate', '8M', '-bufsize', '2M'],
    ...['-f', 'hls', '-hls_time', '0.2', '-hls_list_size', '0'],
  ]
}
