import { expect } from 'chai'
import { errorExamples } from '../../scripts/generated/error-guide.ts'
import { useEnvironment } from '../steps/environment.ts'
import { newAccount } from '../steps/new-account.ts'
import { runsFor, submitAndWait, untilEnd } from '../steps/submit-and-wait.ts'
import type { CommandStatusRecord, SingleSubmission } from '../../cli/client/client.ts'
import type { ErrorStatus } from '../../common/domain/failures.ts'

describe('the examples of the guide to errors', () => {
  const env = useEnvironment()

  const refusals: Partial<Record<ErrorStatus, () => SingleSubmission>> = {
    UNREACHABLE_INPUT_FILE: () => ({
      ...command('-i {{in_1}} {{out_1}}'),
      input_files: { in_1: env.origin.url('absent.mp4') },
    }),
    INVALID_INPUT_FILE: () => ({
      ...command('-i {{in_1}} {{out_1}}'),
      input_files: { in_1: env.origin.url('corrupt.mp4') },
    }),
    INVALID_COMMAND: () => command('-f lavfi -i testsrc2=duration=1 -vf scal=-2:120 {{out_1}}'),
    FFMPEG_FAILED: () =>
      command('-f lavfi -i testsrc2=duration=1 -vf scale=127:95 -c:v libx264 {{out_1}}'),
    COMMAND_TIMEOUT: () => ({ ...runsFor(60), max_command_run_seconds: 2 }),
    DISK_FULL: () => command('-f lavfi -i testsrc2=s=1920x1080 -f rawvideo {{out_1}}'),
    MISSING_OUTPUT_FILE: () => command('-f lavfi -i testsrc2=duration=1 -ss 5 {{out_1}}'),
  }

  for (const [status, submission] of Object.entries(refusals)) {
    it(`the guide has what the service answers for ${status}`, async () => {
      same(await submitAndWait(env.client, submission()), status as ErrorStatus)
    })
  }

  it('the guide has what the service answers for OUTPUT_TOO_LARGE', async () => {
    const { client } = await newAccount(env, 'small')
    const record = await submitAndWait(
      client,
      command('-f lavfi -i testsrc2=s=1280x720 -f rawvideo {{out_1}}'),
    )
    same(record, 'OUTPUT_TOO_LARGE')
  })

  it('the guide has what the service answers for CANCELLED', async () => {
    const { command_id } = await env.client.submit(runsFor(60))
    await env.client.cancelCommand(command_id)
    same(await untilEnd(env.client, command_id), 'CANCELLED')
  })
})

function command(text: string): SingleSubmission {
  return { input_files: {}, output_files: { out_1: 'out.mp4' }, ffmpeg_command: text }
}
/** But for what differs from run to run: numbers, and where the input is. */
function withoutFigures(message: string): string {
  return message.replace(/https?:\S+/g, 'URL').replace(/\d+/g, 'N')
}

function same({ error_status, error_message }: CommandStatusRecord, status: ErrorStatus): void {
  const [first = ''] = (error_message ?? '').split('\n')
  expect([error_status, withoutFigures(first)]).to.deep.equal([
    status,
    withoutFigures(errorExamples[status].example),
  ])
}
