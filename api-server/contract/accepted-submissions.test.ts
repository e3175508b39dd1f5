import { expect } from 'chai'
import { keyHash } from '../accounts/secrets.ts'
import { submission, useApp } from '../../testing/support/api/app.ts'
import { fieldsOf, idOf } from '../checked-call.fixture.ts'
import {
  inputs,
  metadata,
  names,
  output,
  pairs,
  input,
  steps,
  text,
  zip,
} from '../submission-bodies.fixture.ts'
import { chain, runChain, runSingle } from './the-calls.fixture.ts'
import type { Call } from './the-calls.fixture.ts'

const url = 'https://media.example/a.mp4'
const nothing = {
  input_compressed_folder: null,
  max_command_run_seconds: null,
  vcpu_count: null,
  metadata: null,
  is_private: null,
  output_ttl_seconds: null,
  presigned_ttl_seconds: null,
  webhook_url: null,
}

const none = { input_files: {} }
const zipped = { input_files: null, input_compressed_folder: zip }
const folder = { output_files: 'OUTPUT_FOLDER' }
const oneOutput = { output_files: { out_1: 'a.mp4' } }
const generated = '-f lavfi -i testsrc=d=1 {{out_1}}'
const segmented = '-i recording.m3u8 -c copy -f segment part%03d.mp4'
const kinds = { text: 'x', yes: true, part: 1.5, empty: '' }

const analysis = '-i {{in_1}} -af silencedetect -f null -'
const pictures = ['-i {{in_1}} f_%03d.png', '-i f_%03d.png {{out_1}}']

const twoPasses = {
  ...oneOutput,
  ffmpeg_commands: [
    '-i {{in_1}} -c:v libx264 -b:v 500k -pass 1 -passlogfile two -an -f null -',
    '-i {{in_1}} -c:v libx264 -b:v 500k -pass 2 -passlogfile two {{out_1}}',
  ],
}

const accepted: [string, Call, object][] = [
  ['the example', runSingle, {}],
  ['an unknown field', runSingle, { urgency: 9, nested: { a: [1] } }],
  ['a number as text', runSingle, { max_command_run_seconds: '300', vcpu_count: ' 4 ' }],
  ['a fraction of a second', runSingle, { max_command_run_seconds: 0.5 }],
  ['an integer with .0', runSingle, { vcpu_count: 4.0, output_ttl_seconds: '60.0' }],
  ['booleans as text in any case', runSingle, { is_private: 'TrUe' }],
  ['a priority', runSingle, { priority: 'high' }],
  ['a priority of a chain', runChain, { priority: 'low' }],
  ['null for what is optional', runSingle, nothing],
  ['the program name and -y in front', runSingle, text('ffmpeg -y -i {{in_1}} {{out_1}}')],
  ['blanks in a placeholder', runSingle, text('-i {{ in_1 }} {{  out_1 }}')],
  ['four backslashes', runSingle, text('-i \\{\\{in_1\\}\\} \\{\\{out_1\\}\\}')],
  ['one backslash', runSingle, text('-i \\{{in_1}} {{out_1}\\}')],
  ['angle brackets', runSingle, text('-i <<in_1>> <<out_1>>')],
  ['blanks in angle brackets', runSingle, text('-i << in_1 >> << out_1 >>')],
  ['-y behind the output', runSingle, text('-i {{in_1}} {{out_1}} -y')],
  ['sources without inputs', runSingle, { ...none, ...text(generated) }],
  ['no outputs of an analysis', runSingle, { output_files: {}, ...text(analysis) }],
  ['no outputs of a chain', runChain, { output_files: {}, ffmpeg_commands: [analysis, analysis] }],
  ['the log as an output', runSingle, { ...oneOutput, ...text(`${analysis} 2> {{out_1}}`) }],
  ['a pattern between commands', runChain, { ...oneOutput, ffmpeg_commands: pictures }],
  ['an input that nothing uses', runSingle, { input_files: { in_1: url, in_2: url } }],
  ['blanks around a URL', runSingle, input(`  ${url} `)],
  ['200 inputs', runSingle, inputs(200)],
  ['a folder', runSingle, { ...folder, ...text('-i {{in_1}} part%03d.mp4') }],
  ['a zip', runSingle, { ...zipped, ...text('-i clips/a.mp4 {{out_1}}') }],
  [
    'a zip beside no inputs',
    runSingle,
    { ...zipped, ...none, ...text('-i frame_%03d.png {{out_1}}') },
  ],
  ['a zip and a folder', runSingle, { ...zipped, ...folder, ...text(segmented) }],
  ['a playlist', runSingle, output('a.m3u8', 'out_playlist_1')],
  ['a DASH manifest', runSingle, output('a.mpd', 'out_playlist_1')],
  ['ten pairs of every kind', runSingle, metadata({ ...pairs(6), ...kinds })],
  ['metadata at its longest', runSingle, metadata({ ['k'.repeat(512)]: 'ä'.repeat(512) })],
  ['the chain of the documentation', runChain, {}],
  ['null for the zip', runChain, { input_compressed_folder: null }],
  ['two passes', runChain, twoPasses],
  ['ten commands', runChain, { ffmpeg_commands: steps(10), output_files: names(10) }],
  ['a chain without inputs', runChain, { ...none, ...oneOutput, ffmpeg_commands: [generated] }],
]

/** An unknown field, and inputs that no command uses. */
const withWarnings = new Set([
  'an unknown field',
  'no outputs of a chain',
  'a pattern between commands',
  'an input that nothing uses',
  '200 inputs',
  'two passes',
  'ten commands',
])

describe('submissions', () => {
  const app = useApp()

  const submit = (call: Call, change: object = {}, key = app.key) =>
    app.post(call.path, { ...call.body, ...change }, { key })

  for (const [what, call, change] of accepted) {
    it(`${call.name} takes ${what}`, async () => {
      const answer = await submit(call, change)
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
      const named = withWarnings.has(what) ? ['warnings'] : []
      expect(Object.keys(fieldsOf(answer.body))).to.deep.equal(['command_id', ...named])
      const id = idOf(answer)
      expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const { original_request: sent } = await app.record(`/v1/commands/${id}`)
      const again = fieldsOf(sent)
      expect((await submit({ ...call, body: again })).status, 'sent again').to.equal(200)
    })
  }

  it('original_request is what was sent, with defaults filled in and numbers converted', async () => {
    const sent = { max_command_run_seconds: '99999', is_private: 'false' }
    const shown = await app.record(`/v1/commands/${idOf(await submit(runChain, sent))}`)
    expect(shown['original_request']).to.deep.equal({
      ...chain,
      vcpu_count: 4,
      max_command_run_seconds: 99_999,
      metadata: null,
      is_private: false,
      priority: 'normal',
      output_ttl_seconds: null,
      presigned_ttl_seconds: null,
      webhook_url: null,
    })
    expect(shown).to.include({ vcpu_count: 4, max_command_run_seconds: 3_600 })
  })

  it('the record shows the priority, and normal when none was sent', async () => {
    for (const [sent, priority] of [
      [{ priority: 'high' }, 'high'],
      [{ priority: 'low' }, 'low'],
      [{}, 'normal'],
    ] as const) {
      const id = idOf(await submit(runSingle, sent))
      const record = await app.record(`/v1/commands/${id}`)
      expect(record).to.include({ priority })
      expect(record['original_request']).to.include({ priority })
    }
  })

  it('environment_name is that of the key', async () => {
    const { accountId } = app.account
    const sha256 = keyHash('key-of-staging')
    await app.store.ensureApiKey({ accountId, sha256, environmentName: 'staging' })
    const id = idOf(await submit(runSingle, {}, 'key-of-staging'))
    expect(await app.record(`/v1/commands/${id}`)).to.include({ environment_name: 'staging' })
  })

  it('unknown fields are not echoed', async () => {
    const id = idOf(await submit(runSingle, { urgency: 9 }))
    const { original_request: echoed } = await app.record(`/v1/commands/${id}`)
    expect(echoed).not.to.have.property('urgency')
    expect(fieldsOf(echoed)).to.include({ ffmpeg_command: submission.ffmpeg_command })
  })
})
