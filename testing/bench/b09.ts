import type { BenchEnvironment } from './cluster/environment.ts'
import { createHostPeer, milliseconds } from './bodies/host-peer.ts'
import type { Figure } from './figure/figure.ts'
import { tinyCommand, runSubmission } from './cluster/measure-command.ts'
import { median } from './figure/statistics.ts'

const encode = '-c:v libx264 -preset ultrafast'
/** Each reads what the one before has written; IN and OUT stand for the two files. */
const steps = [
  `-f lavfi -i testsrc2=duration=4:size=640x360 ${encode} OUT`,
  `-i IN -vf hflip ${encode} OUT`,
  `-i IN -vf negate ${encode} OUT`,
  `-i IN -vf scale=320:-2 ${encode} OUT`,
  '-i IN -frames:v 1 OUT',
]
const names = ['one.mp4', 'two.mp4', 'three.mp4', 'four.mp4', 'five.png']

/** Five short steps as one command, as a shell script on this machine, and as five commands. */
export async function b09(
  environment: BenchEnvironment,
  { rounds }: { readonly rounds: number },
): Promise<Figure[]> {
  const { client, s3, bucket, settings, say } = environment
  const host = await createHostPeer({ s3, bucket, endpoint: s3.endpoint, settings, say })
  const chain = (): Promise<number> => chained(environment)
  const arms = {
    start: async () => (await runSubmission(client, tinyCommand)).totalMs,
    chain,
    script: () => milliseconds(() => host.script(scriptLines())),
    commands: () => oneByOne(environment),
  }
  const times: Record<keyof typeof arms, number[]> = {
    start: [],
    chain: [],
    script: [],
    commands: [],
  }
  try {
    await chain()
    for (let round = 0; round < rounds; round += 1) {
      say(`b09, round ${round + 1} of ${rounds} (usually 15 to 30 s)`)
      const order = ['start', 'chain', 'script', 'commands'] as const
      for (const arm of round % 2 === 0 ? order : order.toReversed()) {
        times[arm].push(await arms[arm]())
      }
    }
  } finally {
    await host.close()
  }
  const [start, own, script, commands] = [
    median(times.start),
    median(times.chain),
    median(times.script),
    median(times.commands),
  ]
  return [
    { name: 'b09.start', value: start, unit: 'ms' },
    { name: 'b09.script', value: script, unit: 'ms' },
    {
      name: 'b09.five-commands',
      value: commands,
      unit: 'ms',
      ratio: commands / own,
    },
    {
      name: 'b09.chain',
      value: own,
      unit: 'ms',
      ratio: own / script,
      limit: 1.05 * script + start,
    },
  ]
}

function scriptLines(): string[] {
  return steps.map(
    (step, at) =>
      `$FFMPEG ${step
        .replace('IN', `DIR/${names[at - 1] ?? ''}`)
        .replace('OUT', `-threads 2 DIR/${names[at] ?? ''}`)}`,
  )
}

async function chained({ client }: BenchEnvironment): Promise<number> {
  const { totalMs } = await runSubmission(client, {
    input_files: {},
    output_files: Object.fromEntries(names.map((name, at) => [`out_${at + 1}`, name])),
    ffmpeg_commands: steps.map((step, at) =>
      step.replace('IN', `{{out_${at}}}`).replace('OUT', `{{out_${at + 1}}}`),
    ),
    vcpu_count: 2,
  })
  return totalMs
}

async function oneByOne({ client }: BenchEnvironment): Promise<number> {
  const begun = performance.now()
  let previous: string | null = null
  for (const [at, step] of steps.entries()) {
    const { record } = await runSubmission(client, {
      input_files: previous === null ? {} : { in_1: previous },
      output_files: { out_1: names[at] ?? '' },
      ffmpeg_command: step.replace('IN', '{{in_1}}').replace('OUT', '{{out_1}}'),
      vcpu_count: 2,
    })
    previous = record.output_files?.['out_1']?.storage_url ?? null
  }
  return performance.now() - begun
}
