import { expect } from 'chai'
import type { Client, SingleSubmission } from '../../../cli/client/client.ts'
import { scaled } from '../../../testing/scale.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { newAccount } from '../../steps/new-account.ts'
import { lostTerms, serverRestarts } from '../../steps/server-pods.ts'
import { untilEnd, untilFfmpegRuns } from '../../steps/submit-and-wait.ts'

/** Tiny commands while the encodes run, and the time in which they are spread. */
const busy = scaled({ smoke: { commands: 5, seconds: 30 }, full: { commands: 20, seconds: 180 } })
const idleCommands = 5
const encodes = 4

describe('a machine whose processors are all busy with FFmpeg', function () {
  this.timeout(600_000)
  const env = useEnvironment()

  it('restarts no server, loses no Lease, and runs tiny commands', async () => {
    const { client } = await newAccount(env, 'patient')
    const before = { restarts: await serverRestarts(env), lost: await lostTerms(env) }
    const idle: number[] = []
    for (let index = 0; index < idleCommands; index += 1) idle.push(await overhead(client))
    const burning = await Promise.all(
      Array.from({ length: encodes }, () => env.client.submit(endless)),
    )
    const loaded: number[] = []
    try {
      for (const { command_id } of burning) await untilFfmpegRuns(env.client, command_id)
      const begunMs = performance.now()
      for (let index = 0; index < busy.commands; index += 1) {
        loaded.push(await overhead(client))
        const nextMs = begunMs + ((index + 1) * busy.seconds * 1000) / busy.commands
        await new Promise((next) => setTimeout(next, Math.max(0, nextMs - performance.now())))
      }
    } finally {
      for (const { command_id } of burning) await env.client.cancelCommand(command_id)
      for (const { command_id } of burning) await untilEnd(env.client, command_id)
    }
    // Printed, not asserted: other tests take the processors at the same time, also while this one calls them idle.
    const slowdown = Math.max(...loaded) / median(idle)
    console.log(
      `      idle ${seconds(idle)}; busy ${seconds(loaded)}; slowest busy ${slowdown.toFixed(1)} times idle`,
    )
    const after = { restarts: await serverRestarts(env), lost: await lostTerms(env) }
    expect(after).to.deep.equal(before)
  })
})

/** Two threads at full speed until it is cancelled. */
const endless: SingleSubmission = {
  input_files: {},
  output_files: { out_1: 'endless.mp4' },
  ffmpeg_command:
    '-f lavfi -i testsrc2=size=1280x720:rate=30:duration=36000 -c:v libx264 -preset medium {{out_1}}',
  vcpu_count: 2,
}

/** As many vCPUs as an encode, as by default: these are what the kernel weighs the two by. */
const tiny: SingleSubmission = {
  input_files: {},
  output_files: { out_1: 'tiny.png' },
  ffmpeg_command: '-f lavfi -i color=size=64x64 -frames:v 1 {{out_1}}',
  vcpu_count: 2,
}

/** Seconds from the answer to a submission to SUCCESS, without those of FFmpeg itself. */
async function overhead(client: Client): Promise<number> {
  const { command_id } = await client.submit(tiny)
  const submittedMs = performance.now()
  const record = await client.waitFor(command_id, {
    pollMs: 50,
    signal: AbortSignal.timeout(90_000),
  })
  expect(record.status, record.error_message ?? '').to.equal('SUCCESS')
  const totalSeconds = (performance.now() - submittedMs) / 1000
  return totalSeconds - (record.ffmpeg_command_run_seconds ?? 0)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function seconds(values: readonly number[]): string {
  return `${values.map((value) => value.toFixed(2)).join(' ')} s, median ${median(values).toFixed(2)} s`
}
