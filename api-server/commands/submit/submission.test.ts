import { expect } from 'chai'
import { planWith } from '../../../testing/support/plans.ts'
import { submissionFrom } from './submission.ts'
import type { RunFfmpegCommandBody } from '../../../common/openapi/openapi-types.ts'

const plan = planWith()

const body: RunFfmpegCommandBody = {
  ffmpeg_command: '-i {{in_1}} {{out_1}}',
  input_files: { in_1: ' https://media.example/a.avi?sig=1 ' },
  output_files: { out_1: 'a.mp4' },
  max_command_run_seconds: 99_999,
  vcpu_count: 64,
  is_private: false,
  priority: 'normal',
}

function mistakesOf(change: Partial<RunFfmpegCommandBody>): string[] {
  const result = submissionFrom({ ...body, ...change }, plan)
  return result.ok ? [] : result.mistakes.map(({ loc, type }) => `${loc.join('.')} ${type}`)
}

describe('submissionFrom', () => {
  it('echoes the request as sent and runs it with its URLs trimmed', () => {
    const result = submissionFrom(body, plan)
    expect(result.ok && result.submission).to.deep.equal({
      commandType: 'FFMPEG_COMMAND',
      source: {
        commands: ['-i {{in_1}} {{out_1}}'],
        inputFiles: { in_1: 'https://media.example/a.avi?sig=1' },
        inputCompressedFolder: null,
        outputFiles: { out_1: 'a.mp4' },
      },
      originalRequest: {
        ...body,
        input_compressed_folder: null,
        metadata: null,
        priority: 'normal',
        output_ttl_seconds: null,
        presigned_ttl_seconds: null,
        webhook_url: null,
      },
    })
  })

  it('takes a zip in place of inputs, and a folder in place of outputs', () => {
    const { input_files: _, ...rest } = body
    const result = submissionFrom(
      {
        ...rest,
        input_compressed_folder: 'https://media.example/a.zip\n',
        output_files: 'OUTPUT_FOLDER',
        ffmpeg_command: '-i a.avi b.mp4',
      },
      plan,
    )
    expect(result.ok && result.submission.source).to.deep.equal({
      commands: ['-i a.avi b.mp4'],
      inputFiles: null,
      inputCompressedFolder: 'https://media.example/a.zip',
      outputFiles: null,
    })
  })

  it('fills in what the plan allows for limits that are left out, at most 8 vCPUs and 300 seconds', () => {
    const { vcpu_count: _, max_command_run_seconds: __, ...rest } = body
    const limits = [
      planWith(),
      planWith({ vcpuPerCommand: 32, vcpuTotal: 32, maxRunSeconds: 999 }),
    ].map((allowed) => {
      const result = submissionFrom(rest, allowed)
      if (!result.ok) return null
      const { vcpu_count: vcpus, max_command_run_seconds: seconds } =
        result.submission.originalRequest
      return [vcpus, seconds]
    })
    expect(limits).to.deep.equal([
      [4, 60],
      [8, 300],
    ])
  })

  it('refuses a name that two outputs share', () => {
    expect(
      mistakesOf({
        output_files: { out_1: 'a.mp4', out_2: 'a.mp4' },
        ffmpeg_command: '-i {{in_1}} {{out_1}} {{out_2}}',
      }),
    ).to.deep.equal(['body.output_files.out_2 value_error'])
  })

  it('refuses a playlist under a plain alias, and a plain file under a playlist alias', () => {
    const outputs = { out_1: 'a.m3u8', out_playlist_1: 'a.mp4' }
    expect(mistakesOf({ output_files: outputs })).to.deep.equal([
      'body.output_files.out_1 value_error',
      'body.output_files.out_playlist_1 value_error',
    ])
  })
})
