import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { jobOf } from '../../cli/job/job-of.fixture.ts'
import { submissionFor } from '../../cli/job/submission-for.ts'
import { copyAs, copyForms } from './copy-as.ts'
import type { CopyForm } from './copy-as.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'

const request: OriginalRequest = {
  ffmpeg_command: `-i {{in_1}} -vf "drawtext=text='it''s'" -metadata title="a $HOME" {{out_1}}`,
  input_files: { in_1: 'https://media.example/a b.mov?x=1&y=$2' },
  input_compressed_folder: null,
  output_files: { out_1: 'small film.mp4' },
  max_command_run_seconds: 60,
  vcpu_count: 4,
  metadata: { order: 17, note: "it's" },
  is_private: true,
  priority: 'normal',
  output_ttl_seconds: null,
  webhook_url: null,
}

/** Arguments that a shell makes of the text for the program that stands first. */
async function argumentsOf(text: string, program: string): Promise<string[]> {
  const script = `${program}() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${text}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    env: { CLOUD_FFMPEG_API_KEY: 'the-key' },
  })
  return stdout.split('\0').slice(0, -1)
}

describe('copyAs', () => {
  const url = 'https://ffmpeg.example/media/'

  it('the copy is a curl command that a shell reads as the request', async () => {
    const text = copyAs('curl', request, url)
    const given = await argumentsOf(text, 'curl')
    expect(given.slice(0, 4)).to.deep.equal([
      '-sS',
      'https://ffmpeg.example/media/v1/run-ffmpeg-command',
      '-H',
      'X-API-KEY: the-key',
    ])
    const {
      input_compressed_folder: _,
      output_ttl_seconds: __,
      webhook_url: ___,
      ...rest
    } = { ...request }
    expect(JSON.parse(given[5] ?? '')).to.deep.equal(rest)
  })

  it('the copy is a call of the command line tool that makes the same request', async () => {
    const given = await argumentsOf(copyAs('cli', request, url), 'npx')
    expect(given.slice(0, 3)).to.deep.equal(['--no-install', 'cloud-ffmpeg', 'run'])
    const made = submissionFor(jobOf(given.slice(3)), (file) => file)
    expect(made).to.deep.include({
      ffmpeg_command: request.ffmpeg_command,
      input_files: request.input_files,
      vcpu_count: 4,
      max_command_run_seconds: 60,
      is_private: true,
      // The tool sends the values as text, which the service does not convert.
      metadata: { order: '17', note: "it's" },
    })
  })

  it('names the fields that the command line tool has no option for', () => {
    const lossy = { ...request, output_ttl_seconds: 3_600, webhook_url: 'https://app.example/hook' }
    const [first = ''] = copyAs('cli', lossy, url).split('\n')
    expect(first).to.equal('# Over the REST API alone: output_ttl_seconds, webhook_url')
    expect(copyAs('cli', request, url)).not.to.contain('#')
  })

  it('sends a chain to its own call', async () => {
    const { ffmpeg_command: first, input_compressed_folder: _, ...rest } = request
    const chain = {
      ...rest,
      input_files: request.input_files ?? {},
      ffmpeg_commands: [first, '-i {{out_1}} {{out_2}}'],
      output_files: { out_1: 'a.mp4', out_2: 'b.mp4' },
    }
    expect(copyAs('curl', chain, url)).to.contain('/v1/run-chained-ffmpeg-commands')
    const given = await argumentsOf(copyAs('cli', chain, url), 'npx')
    expect(given.filter((one) => one === '--')).to.have.length(2)
  })

  it('names the variable of the key and never a key', () => {
    for (const form of Object.keys(copyForms) as CopyForm[])
      expect(copyAs(form, request, url)).not.to.match(/cff_|the-key/)
  })
})
