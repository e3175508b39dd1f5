import type { Client, CommandStatusRecord, SingleSubmission } from '../../../cli/client/client.ts'
import { untilEnd, untilFfmpegRuns } from '../submit-and-wait.ts'

const encodes = 4

/** Two threads at full speed until it is cancelled; more vCPUs would not fit beside each other on small nodes. */
const endless: SingleSubmission = {
  input_files: {},
  output_files: { out_1: 'endless.mp4' },
  ffmpeg_command:
    '-f lavfi -i testsrc2=size=1280x720:rate=30:duration=36000 -c:v libx264 -preset medium -crf 40 {{out_1}}',
  // At full scale they run for half an hour.
  max_command_run_seconds: 7_200,
  vcpu_count: 2,
}

/**
 * Runs `work` while encodes of this client's account want more than all processors. They are cancelled then.
 * @throws Error if one of them was taken twice
 */
export async function withBusyProcessors<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const burning = await Promise.all(Array.from({ length: encodes }, () => client.submit(endless)))
  const ends: CommandStatusRecord[] = []
  let result: T
  try {
    for (const { command_id } of burning) await untilFfmpegRuns(client, command_id)
    result = await work()
  } finally {
    for (const { command_id } of burning) await client.cancelCommand(command_id)
    for (const { command_id } of burning) ends.push(await untilEnd(client, command_id))
  }
  const again = ends.filter(({ attempts }) => attempts !== 1)
  if (again.length > 0) throw new Error(`taken twice: ${JSON.stringify(again)}`)
  return result
}
