import { expect } from 'chai'
import { aCommandRecord } from '../../common/openapi/a-command-record.ts'
import { aFile } from '../shell/samples.fixture.ts'
import { scriptedService } from '../shell/scripted-service.fixture.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { cancel, runAgain, runSample } from './actions.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'
import type { ScriptedService } from '../shell/scripted-service.fixture.ts'

const id = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01'
const request: OriginalRequest = {
  ffmpeg_command: '-i {{in_1}} {{out_1}}',
  input_files: { in_1: `https://s3.example/bucket/public/${id}/${id}/film.mov` },
  input_compressed_folder: null,
  output_files: { out_1: 'a.mp4' },
  max_command_run_seconds: 60,
  vcpu_count: 4,
  metadata: null,
  is_private: false,
  priority: 'normal',
  output_ttl_seconds: null,
  webhook_url: null,
}

describe('actions on commands', () => {
  let service: ScriptedService
  beforeEach(() => {
    service = scriptedService()
    for (const call of ['run-ffmpeg-command', 'run-chained-ffmpeg-commands']) {
      service.on(`POST /v1/${call}`, () => ({ command_id: 'b' }))
    }
  })
  const posts = () => service.requests.filter((one) => one.startsWith('POST'))

  it('submits a command again as it was, without fields that it did not have, and returns the new id', async () => {
    service.on(`GET /v1/files/${id}`, () => aFile())
    expect(await runAgain(service.client, aCommandRecord({ original_request: request }))).to.equal(
      'b',
    )
    const given = Object.entries(request).filter(([, value]) => value !== null)
    expect(service.bodies.at(-1)).to.deep.equal(Object.fromEntries(given))
  })

  it('submits a chain again as a chain', async () => {
    const { ffmpeg_command: first, input_compressed_folder: _, ...rest } = request
    const chain = {
      ...rest,
      input_files: {},
      output_files: { out_1: 'a' },
      ffmpeg_commands: [first, 'x'],
    }
    await runAgain(service.client, aCommandRecord({ original_request: chain }))
    expect(posts()).to.deep.equal(['POST /v1/run-chained-ffmpeg-commands'])
  })

  it('rejects before it submits anything when the service has deleted an input, and names it', async () => {
    service.on(`GET /v1/files/${id}`, () => aFile({ is_deleted: true }))
    const reason = await rejectionOf(
      runAgain(service.client, aCommandRecord({ original_request: request })),
    )
    expect(String(reason)).to.contain('has deleted in_1 (film.mov) since then. Upload it again')
    expect(posts()).to.deep.equal([])
  })

  it('rejects when the service has deleted the request', async () => {
    const reason = await rejectionOf(runAgain(service.client, aCommandRecord()))
    expect(String(reason)).to.contain('has deleted the request')
  })

  it('submits a sample that reads no file', async () => {
    expect(await runSample(service.client)).to.equal('b')
    expect(service.bodies[0]).to.deep.include({ input_files: {}, metadata: { sample: true } })
  })

  it('cancels the command that is named', async () => {
    service.on('POST /v1/commands/a/cancel', () => aCommandRecord({ status: 'FAILED' }))
    await cancel(service.client, 'a')
    expect(posts()).to.deep.equal(['POST /v1/commands/a/cancel'])
  })
})
