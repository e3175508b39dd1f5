import { expect } from 'chai'
import fc from 'fast-check'
import { aCommandRecord } from '../../../common/openapi/a-command-record.ts'
import { anyRequest } from '../any-draft.fixture.ts'
import { draftFrom } from '../draft.ts'
import { failureOf, problemsOf } from './failure.ts'

describe('the failure that the playground keeps', () => {
  const text = '-i {{in_1}} -vf scal=-2:480 {{out_1}}'
  const message = "FFmpeg refused the command: No such filter: 'scal'\nConversion failed!"
  const single = aCommandRecord({
    status: 'FAILED',
    error_message: message,
    original_request: {
      ffmpeg_command: text,
      input_files: {},
      input_compressed_folder: null,
      output_files: { out_1: 'a.mp4' },
      max_command_run_seconds: 300,
      vcpu_count: 4,
      metadata: null,
      is_private: false,
      priority: 'normal',
      output_ttl_seconds: null,
      webhook_url: null,
    },
  })

  it('failureOf names the only command or the failed step of a chain, for any request', () => {
    expect(failureOf(single)).to.deep.equal({ index: 0, text, message })
    fc.assert(
      fc.property(anyRequest, fc.nat(3), (request, nth) => {
        const { commands } = draftFrom(request)
        const index = nth % commands.length
        const steps = commands.map((_, at) => ({
          index: at,
          status:
            at < index
              ? ('SUCCESS' as const)
              : at === index
                ? ('FAILED' as const)
                : ('SKIPPED' as const),
          progress_percent: null,
          ffmpeg_command_run_seconds: null,
          exit_code: null,
        }))
        const failure = failureOf({ ...single, original_request: request, steps })
        expect(failure).to.include({ index, text: commands[index] })
      }),
    )
  })

  it('failureOf returns null when a command has not failed, or its request was deleted', () => {
    expect(failureOf({ ...single, status: 'SUCCESS' })).to.equal(null)
    expect(failureOf({ ...single, original_request: null })).to.equal(null)
  })

  it('problemsOf places the first line of the message as long as the text is the one that failed', () => {
    const failure = failureOf(single)
    expect(problemsOf(failure, 0, text)).to.deep.equal([
      {
        tone: 'bad',
        field: { kind: 'command', index: 0 },
        text: "FFmpeg refused the command: No such filter: 'scal'",
        at: { from: 16, to: 20 },
        remedy: null,
      },
    ])
    expect(problemsOf(failure, 0, `${text} `), 'another text').to.deep.equal([])
    expect(problemsOf(failure, 1, text), 'another command').to.deep.equal([])
    expect(problemsOf(null, 0, text)).to.deep.equal([])
  })

  it('problemsOf has no place when the message of the failure names none', () => {
    const failure = failureOf({ ...single, error_message: 'FFmpeg timed out' })
    expect(problemsOf(failure, 0, text)[0]).to.include({ text: 'FFmpeg timed out', at: null })
    expect(problemsOf(failureOf({ ...single, error_message: null }), 0, text)[0]?.text).to.equal('')
  })
})
