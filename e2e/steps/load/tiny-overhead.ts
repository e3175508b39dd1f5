import { expect } from 'chai'
import type { Client, SingleSubmission } from '../../../cli/client/client.ts'
import { patienceMs } from '../../../local-cluster/host/wait-for.ts'

/** vCPUs are as many as of an encode, the default: the kernel weighs the two by them. */
const tiny: SingleSubmission = {
  input_files: {},
  output_files: { out_1: 'tiny.png' },
  ffmpeg_command: '-f lavfi -i color=size=64x64 -frames:v 1 {{out_1}}',
  vcpu_count: 2,
}

/** Seconds from the answer to a submission to SUCCESS, without those of FFmpeg itself. */
export async function tinyOverhead(client: Client): Promise<number> {
  const { command_id } = await client.submit(tiny)
  const submittedMs = performance.now()
  const record = await client.waitFor(command_id, {
    pollMs: 50,
    signal: AbortSignal.timeout(patienceMs),
  })
  expect(record.status, record.error_message ?? '').to.equal('SUCCESS')
  const totalSeconds = (performance.now() - submittedMs) / 1000
  return totalSeconds - (record.ffmpeg_command_run_seconds ?? 0)
}

export async function tinyOverheads(client: Client, count: number): Promise<number[]> {
  const overheads: number[] = []
  for (let index = 0; index < count; index += 1) overheads.push(await tinyOverhead(client))
  return overheads
}

export function describeSeconds(values: readonly number[]): string {
  const each = values.map((value) => value.toFixed(2)).join(' ')
  return `${each} s, median ${middle(values).toFixed(2)} s`
}

/** The upper one of two in the middle. */
export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
