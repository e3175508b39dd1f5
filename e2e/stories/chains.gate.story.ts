import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'
import { newAccount } from '../steps/new-account.ts'
import { refused, untilEnd } from '../steps/submit-and-wait.ts'

describe('a developer chains commands', () => {
  const env = useEnvironment()

  it('runs two passes and a thumbnail of the result in one pod', async () => {
    const submission = {
      input_files: { in_1: env.origin.url('clip.mp4') },
      output_files: { out_1: 'two-pass.mp4', out_2: 'thumb.jpg' },
      ffmpeg_commands: [
        '-i {{in_1}} -c:v libx264 -b:v 200k -pass 1 -passlogfile stats -an -f null -',
        '-i {{in_1}} -c:v libx264 -b:v 200k -pass 2 -passlogfile stats -c:a aac {{out_1}}',
        '-i {{out_1}} -frames:v 1 {{out_2}}',
      ],
    }
    const { command_id } = await env.client.submit(submission)
    const record = await untilEnd(env.client, command_id)
    expect(record.error_message).to.equal(null)
    expect(record.command_type).to.equal('FFMPEG_CHAINED_COMMANDS')
    expect(record.steps.map(({ index, status }) => [index, status])).to.deep.equal([
      [0, 'SUCCESS'],
      [1, 'SUCCESS'],
      [2, 'SUCCESS'],
    ])
    expect(record.output_files?.['out_1']).to.include({ file_type: 'video', codec: 'h264' })
    expect(record.output_files?.['out_2']).to.include({ file_type: 'image', width: 320 })
    expect(record.original_request).to.deep.include(submission)
  })

  it('a chain has the rest skipped and nothing kept once a step fails', async () => {
    const { command_id } = await env.client.submit({
      input_files: { in_1: env.origin.url('clip.mp4') },
      output_files: { out_1: 'first.mp4', out_2: 'second.mp4', out_3: 'third.mp4' },
      ffmpeg_commands: [
        '-i {{in_1}} -c copy {{out_1}}',
        '-i {{out_1}} -vf nosuchfilter {{out_2}}',
        '-i {{out_1}} -c copy {{out_3}}',
      ],
    })
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'FAILED', error_status: 'INVALID_COMMAND' })
    expect(record.output_files).to.equal(null)
    expect(record.steps.map(({ status }) => status)).to.deep.equal(['SUCCESS', 'FAILED', 'SKIPPED'])
  })

  it('a chain is refused with the reason when the plan has no chains', async () => {
    const { client } = await newAccount(env, 'free')
    const chain = {
      input_files: {},
      output_files: { out_1: 'a.png' },
      ffmpeg_commands: ['-f lavfi -i testsrc2=duration=1 -frames:v 1 {{out_1}}'],
    }
    expect(await refused(client.submit(chain))).to.deep.equal({
      status: 403,
      detail: "Plan 'free' does not include chained commands",
    })
  })
})
