import { expect } from 'chai'
import { untilEnd, submitAndWait } from '../steps/submit-and-wait.ts'
import { useEnvironment } from '../steps/environment.ts'

describe('a developer analyses a film, and hands pictures from one command to the next', () => {
  const env = useEnvironment()
  const loudness = '-i {{in_1}} -af loudnorm=print_format=json -f null -'
  const inputs = () => ({ in_1: env.origin.url('clip.mp4') })

  it('gets the log as a file, with figures that a program can read', async () => {
    const record = await submitAndWait(env.client, {
      input_files: inputs(),
      output_files: { out_1: 'loudness.log' },
      ffmpeg_command: `${loudness} 2> {{out_1}}`,
    })
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
    const answer = await fetch(record.output_files?.['out_1']?.storage_url ?? '')
    const text = await answer.text()
    expect(JSON.parse(/\{[^{}]*"input_i"[^{}]*\}/.exec(text)?.[0] ?? '')).to.have.property(
      'input_i',
    )
    expect(text).to.contain("from '{{in_1}}'").and.not.to.contain('../in/')
    expect(await env.client.getCommandLogs(record.command_id)).to.contain('"input_i"')
  })

  it('gets no file where none is declared, and reads the logs', async () => {
    const record = await submitAndWait(env.client, {
      input_files: inputs(),
      output_files: {},
      ffmpeg_command: loudness,
    })
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
    expect(record.output_files).to.deep.equal({})
    expect(record.original_request?.output_files).to.deep.equal({})
    expect(await env.client.getCommandLogs(record.command_id)).to.contain('"input_i"')
  })

  it('gets what a chain makes of its own pictures, and none of the pictures', async () => {
    const { command_id } = await env.client.submit({
      input_files: inputs(),
      output_files: { out_1: 'quick.mp4' },
      ffmpeg_commands: [
        '-i {{in_1}} -vf fps=5 f_%03d.png',
        '-framerate 10 -i f_%03d.png {{out_1}}',
      ],
    })
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
    expect(Object.keys(record.output_files ?? {})).to.deep.equal(['out_1'])
    expect(record.output_files?.['out_1']).to.include({ file_type: 'video', frame_rate: 10 })
  })

  it('runs an analysis without outputs in a chain', async () => {
    const { command_id } = await env.client.submit({
      input_files: inputs(),
      output_files: {},
      ffmpeg_commands: [loudness, '-i {{in_1}} -af volumedetect -f null /dev/null'],
    })
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
    const logs = await env.client.getCommandLogs(command_id)
    expect(logs).to.contain('"input_i"').and.contain('max_volume')
  })
})
