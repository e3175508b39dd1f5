import { milliseconds } from './bodies/host-peer.ts'
import { withStorageRig } from './bodies/storage-rig.ts'
import { assertManifestLast } from './bodies/body-figures.ts'
import { playlistOptions } from './encode/playlist.ts'
import { idleMachine } from './cluster/idle-machine.ts'
import { measureProcessors } from './cluster/processor-seconds.ts'
import type { ProcessorSeconds } from './cluster/processor-seconds.ts'
import { processorFigures } from './cluster/processor-figures.ts'
import type { BenchEnvironment } from './cluster/environment.ts'
import type { Figure } from './figure/figure.ts'
import { tinyCommand, runSubmission } from './cluster/measure-command.ts'
import { median } from './figure/statistics.ts'
import { untilFull } from './cluster/until-full.ts'

export interface PlaylistPlan {
  readonly segments: number
  readonly rounds: number
  /** Runners that wait for the commands, all of them before each; 0: each command gets a Job of its own. */
  readonly standbys: number
}

/** A playlist of segments of 200 KB, stored at 60 MB/s. */
export async function b10(
  environment: BenchEnvironment,
  { segments, rounds, standbys }: PlaylistPlan,
): Promise<Figure[]> {
  const { client, instance, say } = environment
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
    const runs: Run[] = []
    async function run(name: string, work: () => Promise<unknown>): Promise<void> {
      await untilFull(environment, standbys)
      await idleMachine()
      const ended = measureProcessors(instance)
      const ms = await milliseconds(work)
      runs.push({ name, ms, processors: ended() })
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const form of round % 2 === 0 ? forms : forms.toReversed()) {
        say(`b10, round ${round + 1} of ${rounds}, ${form} (usually 20 to 120 s)`)
        const on = form !== 'in-sequence'
        await rig.overlap({ inputs: on, outputs: on }, standbys)
        rig.cap(60)
        sink.distant(form === 'distant')
        await runSubmission(client, tinyCommand)
        await run('start', () => runSubmission(client, tinyCommand))
        // Before and after: under load a virtual machine becomes slower from run to run.
        await run('bare', () => host.ffmpeg(bare))
        const before = sink.puts.length
        await run(form, () => runSubmission(client, submission))
        assertManifestLast(sink.puts.slice(before), segments)
        await run('bare', () => host.ffmpeg(bare))
        if (form === 'in-sequence') continue
        await run(form === 'distant' ? 'distant-script' : 'script', () => host.script(script))
      }
    }
    return figuresOf(runs)
  })
}

/** `distant`: the storage takes no processor time of this machine, but for the line in front of it. */
const forms = ['overlapped', 'in-sequence', 'distant'] as const

interface Run {
  readonly name: string
  readonly ms: number
  readonly processors: ProcessorSeconds
}

function figuresOf(runs: readonly Run[]): Figure[] {
  const named = (name: string) => runs.filter((run) => run.name === name)
  const timeOf = (name: string) => median(named(name).map(({ ms }) => ms))
  const encode = timeOf('bare')
  const processors = ['bare', ...forms, 'script'].flatMap((name) =>
    processorFigures(`b10.${name}`, named(name)),
  )
  return [
    { name: 'b10.start', value: timeOf('start'), unit: 'ms' },
    { name: 'b10.encode-only', value: encode, unit: 'ms' },
    ...(['script', 'distant-script', ...forms] as const).map((name): Figure => {
      const value = timeOf(name)
      return {
        name: `b10.${name}`,
        value,
        unit: 'ms',
        ratio: value / encode,
        ...(name === 'overlapped' ? { limit: 1.25 * encode } : {}),
      }
    }),
    ...processors,
  ]
}
