import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

describe('a developer submits a command', () => {
  const env = useEnvironment()

  it('a developer gets its output at a public URL and a record whose every field is right', async () => {
    const submission = {
      input_files: { in_1: env.origin.url('clip.mp4') },
      output_files: { out_1: 'small.mp4' },
      ffmpeg_command: '-i {{in_1}} -vf "scale=-2:120" -c:v libx264 -c:a aac {{out_1}}',
      vcpu_count: 2,
      metadata: { order: 17 },
    }
    const record = await submitAndWait(env.client, submission)
    expect(record).to.include({
      status: 'SUCCESS',
      processing_stage: null,
      command_type: 'FFMPEG_COMMAND',
      environment_name: null,
      error_status: null,
      error_message: null,
      vcpu_count: 2,
      max_command_run_seconds: 300,
      progress_percent: 100,
      queue_position: null,
      attempts: 1,
    })
    expect(record.metadata).to.deep.equal({ order: 17 })
    expect(record.original_request).to.deep.include({ ...submission, is_private: false })
    expect(record.steps).to.have.length(1)
    expect(record.steps[0]).to.include({ index: 0, status: 'SUCCESS', exit_code: 0 })
    expect(record.ffmpeg_command_run_seconds).to.be.greaterThan(0)
    expect(record.total_processing_seconds).to.be.greaterThan(
      record.ffmpeg_command_run_seconds ?? 0,
    )
    const file = record.output_files?.['out_1']
    expect(file).to.include({
      status: 'STORED',
      service_store_type: 'OUTPUT',
      is_deleted: false,
      is_private: false,
      file_type: 'video',
      file_format: 'mp4',
      codec: 'h264',
      width: 160,
      height: 120,
      frame_rate: 25,
      pixel_format: 'yuv420p',
      mime_type: 'video/mp4',
      is_varying_frame_rate: false,
      command_id: record.command_id,
    })
    expect(file?.duration).to.be.closeTo(4, 0.2)
    const stored = await fetch(file?.storage_url ?? '')
    const bytes = new Uint8Array(await stored.arrayBuffer())
    expect(bytes.length / 1_048_576).to.equal(file?.size_mbytes)
    expect(stored.headers.get('content-type')).to.equal('video/mp4')
    expect(await env.programs.probe(bytes)).to.include({ codec: 'h264' })
    const input = await fetch(env.origin.url('clip.mp4'))
    const inputBytes = (await input.arrayBuffer()).byteLength
    expect(record.processing_quota_used).to.equal((inputBytes + bytes.length) / 1_048_576)
  })

  it('uses the stored output of one command as the input of the next', async () => {
    const first = await submitAndWait(env.client, {
      input_files: {},
      output_files: { out_1: 'first.mp4' },
      ffmpeg_command: '-f lavfi -i testsrc2=duration=1:size=160x120 {{out_1}}',
    })
    const second = await submitAndWait(env.client, {
      input_files: { in_1: first.output_files?.['out_1']?.storage_url ?? '' },
      output_files: { out_1: 'still.png' },
      ffmpeg_command: '-i {{in_1}} -frames:v 1 {{out_1}}',
    })
    expect(second.error_message).to.equal(null)
    expect(second.output_files?.['out_1']).to.include({ file_type: 'image', codec: 'png' })
  })

  it('reads in FFmpeg’s own words why a command failed', async () => {
    const record = await submitAndWait(env.client, {
      input_files: { in_1: env.origin.url('clip.mp4') },
      output_files: { out_1: 'small.mp4' },
      ffmpeg_command: '-i {{in_1}} -vf nosuchfilter=1 {{out_1}}',
    })
    expect(record).to.include({ status: 'FAILED', error_status: 'INVALID_COMMAND' })
    expect(record.error_message).to.match(/nosuchfilter/)
    expect(record.error_message).not.to.match(/\/job\//)
    expect(record.output_files).to.equal(null)
  })

  it('reads which input could not be fetched', async () => {
    const record = await submitAndWait(env.client, {
      input_files: { in_1: env.origin.url('absent.mp4') },
      output_files: { out_1: 'small.mp4' },
      ffmpeg_command: '-i {{in_1}} {{out_1}}',
    })
    expect(record).to.include({ status: 'FAILED', error_status: 'UNREACHABLE_INPUT_FILE' })
    expect(record.error_message).to.match(/in_1.*404/)
    expect(record.processing_quota_used).to.equal(0)
  })

  it('a command is stopped at its run cap even if FFmpeg ignores SIGTERM', async () => {
    const record = await submitAndWait(env.client, {
      input_files: { in_1: env.origin.url('clip.mp4') },
      output_files: { out_1: 'endless.mp4' },
      ffmpeg_command: '-i {{in_1}} -vf tpad=stop=-1 {{out_1}}',
      max_command_run_seconds: 3,
      vcpu_count: 1,
    })
    expect(record).to.include({ status: 'FAILED', error_status: 'COMMAND_TIMEOUT' })
    expect(record.error_message).to.match(/3 seconds/)
    expect(record.ffmpeg_command_run_seconds).to.be.at.least(3)
  })

  it('a developer learns that a command needs more memory than its vCPUs come with', async () => {
    const record = await submitAndWait(env.client, {
      input_files: {},
      output_files: { out_1: 'reversed.mp4' },
      ffmpeg_command:
        '-f lavfi -i testsrc2=size=1920x1080:rate=60:duration=60 -vf reverse -c:v libx264 -preset ultrafast {{out_1}}',
      vcpu_count: 1,
    })
    expect(record).to.include({ status: 'FAILED', error_status: 'OUT_OF_MEMORY' })
  })
})
