import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'
import { kubectlTimeout } from '../steps/eventually.ts'
import { newAccount } from '../steps/new-account.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

const picture = '-f lavfi -i testsrc2=size=64x64:duration=1 -frames:v 1 {{out_1}}'

interface Shown {
  readonly state?: string
  readonly reason?: string
  readonly message?: string
  readonly errorStatus?: string
  readonly errorMessage?: string
}

/** With all rights on both kinds in the namespace, and no key. */
describe('a developer who may apply objects', () => {
  const env = useEnvironment()

  async function endOf(metadata: { readonly name: string }, spec: object): Promise<Shown> {
    const kind = 'FfmpegCommand'
    await env.apply({ apiVersion: 'cloudffmpeg.dev/v1alpha1', kind, metadata, spec })
    const object = `ffc/${metadata.name}`
    await env.kubectl('wait', '--for=condition=Finished', object, kubectlTimeout)
    return JSON.parse(await env.kubectl('get', object, '-o', 'jsonpath={.status}')) as Shown
  }

  const drawing = {
    commands: [picture],
    inputFiles: {},
    outputFiles: { out_1: 'a.png' },
    vcpuCount: 1,
  }

  it('runs commands of the default account, and none of another one', async () => {
    expect(await endOf({ name: 'of-default' }, drawing)).to.include({ state: 'SUCCESS' })
    const other = await newAccount(env, 'pro')
    const refused = await endOf({ name: 'of-another' }, { ...drawing, account: other.name })
    expect(refused).to.include({ state: 'FAILED', reason: 'Rejected' })
    expect(refused.message).to.include(`spec.account '${other.name}' may not be named`)
    expect(await other.client.listCommands({})).to.deep.equal([])
  })

  it('a developer cannot publish a private file whose URL is in the status of a command', async () => {
    const record = await submitAndWait(env.client, {
      input_files: {},
      output_files: { out_1: 'secret.png' },
      ffmpeg_command: picture,
      is_private: true,
    })
    const url = record.output_files?.['out_1']?.storage_url ?? ''
    const copy = {
      commands: ['-i {{in_1}} {{out_1}}'],
      inputFiles: { in_1: url },
      outputFiles: { out_1: 'copy.png' },
      vcpuCount: 1,
    }
    const refused = await endOf({ name: 'publishes' }, { ...copy, private: false })
    expect(refused).to.include({ state: 'FAILED', errorStatus: 'INVALID_COMMAND' })
    expect(refused.errorMessage).to.match(/^in_1 is a private file/)
    expect(await endOf({ name: 'keeps' }, { ...copy, private: true })).to.include({
      state: 'SUCCESS',
    })
  })

  it('a developer cannot choose the id of a command', async () => {
    const commandId = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
    const refused = await endOf({ name: `ffc-${commandId}` }, { ...drawing, commandId })
    expect(refused).to.include({ state: 'FAILED', reason: 'NotOurs' })
  })
})
