import { commitOf, newFile, queuedStep } from '../../testing/store-contract/fixtures.ts'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'
import { claim } from '../../testing/support/api/outcomes.ts'
import type { TestApp } from '../../testing/support/api/app.ts'
import type { Outcome } from '../../common/store/attempts.ts'

interface Seed {
  readonly command: string
  readonly output: string
  readonly metadata?: Readonly<Record<string, string | number>>
  readonly vcpus: number
}

interface Ended extends Seed {
  /** Seconds that it ran, and seconds from its end to the next one. */
  readonly took: number
  readonly gap: number
  readonly failure?: Omit<Extract<Outcome, { status: 'FAILED' }>, 'status'>
}

/** Oldest first. */
const ended: readonly Ended[] = [
  {
    command: '-ss 3 -i {{in_1}} -frames:v 1 {{out_1}}',
    output: 'poster.jpg',
    vcpus: 2,
    metadata: { order: 15 },
    took: 1.3,
    gap: 1_500,
  },
  {
    command: '-i {{in_1}} -c:v libx264 -crf 21 -c:a copy {{out_1}}',
    output: 'master.mp4',
    vcpus: 8,
    metadata: { order: 15 },
    took: 96,
    gap: 900,
  },
  {
    command: '-i {{in_1}} -t 6 -vf fps=12,scale=320:-1 {{out_1}}',
    output: 'teaser.gif',
    vcpus: 2,
    metadata: { user: 'ana' },
    took: 4.2,
    gap: 600,
  },
  {
    command: '-i {{in_1}} -af loudnorm=I=-16 {{out_1}}',
    output: 'episode.mp3',
    vcpus: 2,
    metadata: { show: 'friday' },
    took: 18,
    gap: 240,
  },
  {
    command: '-i {{in_1}} -vf scal=-2:480 {{out_1}}',
    output: 'small.mp4',
    vcpus: 8,
    metadata: { order: 16 },
    took: 1.5,
    gap: 40,
    failure: {
      errorStatus: 'INVALID_COMMAND',
      errorMessage: "FFmpeg refused the command: No such filter: 'scal'",
    },
  },
  {
    command: '-i {{in_1}} -vf scale=-2:480 {{out_1}}',
    output: 'small.mp4',
    vcpus: 8,
    metadata: { order: 16 },
    took: 11,
    gap: 60,
  },
  {
    command: '-i {{in_1}} -i {{in_2}} -filter_complex overlay=W-w-16:16 {{out_1}}',
    output: 'marked.mp4',
    vcpus: 4,
    metadata: { user: 'ben' },
    took: 6,
    gap: 25,
    failure: { errorStatus: 'CANCELLED', errorMessage: 'Cancelled by request' },
  },
  {
    command: '-i {{in_1}} -hls_time 4 -f hls {{out_1}}',
    output: 'film.mp4',
    vcpus: 8,
    metadata: { order: 17 },
    took: 31,
    gap: 20,
  },
]

const running: readonly (Seed & { percent: number; age: number })[] = [
  {
    command: '-i {{in_1}} -c:v libx265 -preset slow -crf 24 {{out_1}}',
    output: 'film.mkv',
    vcpus: 8,
    metadata: { order: 18 },
    percent: 71,
    age: 22,
  },
  {
    command: '-i {{in_1}} -vf scale=-2:720,subtitles={{in_2}} {{out_1}}',
    output: 'talk.mp4',
    vcpus: 8,
    metadata: { user: 'ana' },
    percent: 42,
    age: 9,
  },
]

const waiting: readonly Seed[] = [
  {
    command: '-i {{in_1}} -c:v libaom-av1 -cpu-used 6 {{out_1}}',
    output: 'film.webm',
    vcpus: 8,
    metadata: { order: 19 },
  },
  {
    command: '-i {{in_1}} -vf fps=1/10,tile=5x5 -frames:v 1 {{out_1}}',
    output: 'sheet.jpg',
    vcpus: 2,
    metadata: { order: 19 },
  },
]

/** Twelve commands as an account has them after an hour, in each state; times are relative to now. */
export async function seedCommands(app: TestApp): Promise<void> {
  for (const seed of ended) await end(app, seed)
  const { accountId } = app.account
  for (const seed of running) {
    const commandId = await submit(app, seed)
    const { podUid: attempt } = await claim(app, commandId)
    await app.store.storeProgress({
      commandId,
      attempt,
      status: 'PROCESSING',
      stage: 'FFMPEG_PROCESSING',
      logs: [],
      progressPercent: seed.percent,
      steps: [{ ...queuedStep, status: 'PROCESSING', progress_percent: seed.percent }],
    })
    await app.age(seed.age)
  }
  for (const seed of waiting) {
    const id = await submit(app, seed)
    await app.store.markDispatched(id, `uid-${id}`)
    await app.age(3)
  }
  await app.store.recordWaits([{ accountId, reason: 'ACCOUNT_VCPUS', rateVcpus: null }])
}

function submit(app: TestApp, { command, output, metadata = {}, vcpus }: Seed): Promise<string> {
  const inputs = ['in_1', 'in_2'].filter((alias) => command.includes(`{{${alias}}}`))
  return app.submit({
    input_files: Object.fromEntries(
      inputs.map((alias) => [alias, `https://media.example/${alias}.mov`]),
    ),
    output_files: { out_1: output },
    ffmpeg_command: command,
    metadata,
    vcpu_count: vcpus,
  })
}

async function end(app: TestApp, seed: Ended): Promise<void> {
  const commandId = await submit(app, seed)
  const { podUid } = await claim(app, commandId)
  await app.age(seed.took)
  const file = {
    ...newFile(commandId),
    fileId: commandId.replace(/^./, '1'),
    key: `public/${commandId}/${seed.output}`,
    media: unknownMedia,
  }
  const outcome: Outcome =
    seed.failure === undefined
      ? { status: 'SUCCESS', files: [file] }
      : { status: 'FAILED', ...seed.failure }
  await app.store.commitOutcome(commitOf(commandId, podUid, outcome))
  // The operator does this once the pod is gone.
  const release = 'update commands set released_at = now() where command_id = $1'
  await app.query('release', release, [commandId])
  await app.age(seed.gap)
}

export const processing = { status: 'PROCESSING', stage: 'FFMPEG_PROCESSING' } as const

export function writeLog(
  app: TestApp,
  commandId: string,
  attempt: string,
  sequence: number,
  text: string,
): Promise<unknown> {
  return app.store.storeProgress({
    commandId,
    ...processing,
    attempt,
    progressPercent: 42,
    logs: [{ step: 0, sequence, text }],
    steps: [{ ...queuedStep, status: 'PROCESSING', progress_percent: 42 }],
  })
}
