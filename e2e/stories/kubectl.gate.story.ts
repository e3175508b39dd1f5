import { expect } from 'chai'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { kubectl } from '../installation/install.ts'
import { environment } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { eventually, kubectlTimeout } from '../steps/eventually.ts'
import { runsFor, submitAndWait, untilEnd, untilFfmpegRuns } from '../steps/submit-and-wait.ts'
import { ffmpegCommand } from './ffmpeg-command.fixture.ts'

describe('a platform engineer with kubectl', () => {
  let env: Environment
  before(async function () {
    env = await environment(this)
    // First: up to 70 s pass until their Events.
    await kubectl(env.cluster, ['-n', 'default', 'apply', '-f', '-'], JSON.stringify(astray))
  })

  after(async () => {
    if (env === undefined) return
    await kubectl(env.cluster, ['-n', 'default', 'delete', 'ffc,sfile', '--all'])
  })

  it('applies an FfmpegCommand and finds the same execution in the REST API', async () => {
    await env.apply(
      ffmpegCommand('applied', {
        commands: ['-f lavfi -i testsrc2=duration=1:size=160x120 {{out_1}}'],
        outputFiles: { out_1: 'applied.mp4' },
      }),
    )
    const done = await env.kubectl(
      'wait',
      '--for=condition=Complete',
      'ffc/applied',
      kubectlTimeout,
    )
    expect(done).to.match(/condition met/)
    const uid = await env.kubectl('get', 'ffc', 'applied', '-o', 'jsonpath={.metadata.uid}')
    const record = await env.client.getCommand(uid)
    expect(record).to.include({ status: 'SUCCESS', command_id: uid })
    expect(record.original_request).to.deep.include({ output_files: { out_1: 'applied.mp4' } })
    const stored = await fetch(record.output_files?.['out_1']?.storage_url ?? '')
    expect(stored.status).to.equal(200)
  })

  it('a wrong spec is refused at once, and with the reason when only FFmpeg’s grammar knows it', async () => {
    const invalid = await env
      .apply(
        ffmpegCommand('invalid', {
          commands: ['-i {{in_1}} {{out_1}}'],
          outputFiles: { video: 'a.mp4' },
        }),
      )
      .catch((error: unknown) => String(error))
    expect(invalid).to.match(/start with out_/)

    await env.apply(
      ffmpegCommand('unknown-alias', {
        commands: ['-i {{in_9}} {{out_1}}'],
        outputFiles: { out_1: 'a.mp4' },
      }),
    )
    await env.kubectl('wait', '--for=condition=Failed', 'ffc/unknown-alias', kubectlTimeout)
    const message = await env.kubectl(
      'get',
      'ffc',
      'unknown-alias',
      '-o',
      'jsonpath={.status.errorMessage}',
    )
    expect(message).to.match(/in_9/)
  })

  it('waits for the end of a command that fails, without waiting for the time-out', async () => {
    await env.apply(
      ffmpegCommand('corrupt', {
        commands: ['-i {{in_1}} {{out_1}}'],
        inputFiles: { in_1: env.origin.url('corrupt.mp4') },
        outputFiles: { out_1: 'a.mp4' },
      }),
    )
    await env.kubectl('wait', '--for=condition=Finished', 'ffc/corrupt', kubectlTimeout)
    const read = (path: string): Promise<string> =>
      env.kubectl('get', 'ffc', 'corrupt', '-o', `jsonpath={${path}}`)
    expect(await read('.status.state')).to.equal('FAILED')
    const reason = await read('.status.conditions[?(@.type=="Finished")].reason')
    expect(reason).to.equal(await read('.status.conditions[?(@.type=="Failed")].reason'))
  })

  it('watches a command in columns, waits for it, and reads its events and its schema', async () => {
    const { command_id } = await env.client.submit(runsFor(12))
    const name = `ffc-${command_id}`
    await untilFfmpegRuns(env.client, command_id)
    const running = await eventually('the row shows PROCESSING', async () => {
      const row = await env.kubectl('get', 'ffmpegcommands', name)
      return /PROCESSING/.test(row) && row
    })
    expect(running).to.match(/^NAME +STATE +STAGE +PROGRESS +VCPU +ACCOUNT +REASON +AGE/)
    const wide = await env.kubectl('get', 'ffc', name, '-o', 'wide')
    expect(wide).to.match(/JOB +START +PRIORITY +STARTED +FINISHED +ERROR/)
    expect(wide).to.include(`${name}-1`)
    await env.kubectl('wait', '--for=condition=Complete', `ffc/${name}`, kubectlTimeout)
    const description = await env.kubectl('describe', 'ffc', name)
    expect(description).to.match(/Events:[^]*Normal/)
    const selected = await env.kubectl(
      'get',
      'ffc',
      '--field-selector',
      'status.state=SUCCESS,spec.account=default',
      '-o',
      'name',
    )
    expect(selected).to.include(name)
    expect(await env.kubectl('explain', 'ffmpegcommand.spec.commands')).to.match(/placeholders/)
    expect(await env.kubectl('get', 'all', '-o', 'name')).to.include('ffmpegcommand')
  })

  it('proves an installation with helm test', async () => {
    const output = await runCommand(
      env.cluster.helm,
      [
        'test',
        'cloud-ffmpeg',
        '--namespace',
        env.installed.namespace,
        '--logs',
        '--timeout',
        '90s',
      ],
      { env: { KUBECONFIG: env.cluster.kubeconfig } },
    )
    expect(output).to.match(/Phase: +Succeeded/)
    expect(output).to.match(/test\.mp4 \(\d+ bytes\)/)
  })

  it('a platform engineer cannot change what runs, but can cancel it, once and for all', async () => {
    const { command_id } = await env.client.submit(runsFor(60))
    const name = `ffc-${command_id}`
    await untilFfmpegRuns(env.client, command_id)
    const patch = (spec: object): Promise<string> =>
      env
        .kubectl('patch', 'ffc', name, '--type=merge', '-p', JSON.stringify({ spec }))
        .catch((error: unknown) => String(error))
    expect(await patch({ vcpuCount: 2 })).to.match(/immutable but for cancel/)
    expect(await patch({ environmentName: 'added' })).to.match(/immutable but for cancel/)
    const request = { sha256: '0'.repeat(64), bytes: 1, commands: 1, inputs: 0, outputs: 1 }
    expect(await patch({ request })).to.match(/request is set by the service alone/)
    expect(await patch({ commands: null, request })).to.match(/immutable but for cancel/)
    expect(await patch({ cancel: true })).to.match(/patched/)
    expect(await patch({ cancel: null })).to.match(/cannot be taken back/)
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'FAILED', error_status: 'CANCELLED' })
  })

  it('deletes a running command: it is cancelled once, and its record stays', async () => {
    const { command_id } = await env.client.submit(runsFor(60))
    await untilFfmpegRuns(env.client, command_id)
    await env.kubectl('delete', 'ffc', `ffc-${command_id}`, kubectlTimeout)
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'FAILED', error_status: 'CANCELLED' })
    const pods = await eventually('its pods are gone', async () => {
      const names = await env.kubectl(
        'get',
        'pods',
        '-l',
        `cloudffmpeg.dev/command-id=${command_id}`,
        '-o',
        'name',
      )
      return names === '' && 'none'
    })
    expect(pods).to.equal('none')
    expect(await env.client.getCommand(command_id)).to.deep.equal(record)
  })

  it('sees finished commands and their Jobs go away by themselves', async () => {
    const record = await submitAndWait(env.client, runsFor(1))
    expect(record.status).to.equal('SUCCESS')
    await eventually(
      'the Job is collected',
      async () => {
        const jobs = await env.kubectl(
          'get',
          'jobs',
          '-l',
          `cloudffmpeg.dev/command-id=${record.command_id}`,
          '-o',
          'name',
        )
        return jobs === '' && 'gone'
      },
      110,
    )
  })

  it('reads in the events of an object in another namespace that no release watches it', async () => {
    const inDefault = (...args: string[]): Promise<string> =>
      kubectl(env.cluster, ['-n', 'default', ...args])
    for (const object of ['ffc/astray', 'sfile/astray']) {
      const described = await eventually(
        `${object} has its Event`,
        async () => {
          const text = await inDefault('describe', object)
          // A second release, of another story, may write its own before.
          return new RegExp(`apply -n ${env.installed.namespace} *$`, 'm').test(text) && text
        },
        90,
      )
      expect(described).to.match(/Warning +NotWatched/)
      expect(described).to.include(`kubectl apply -n ${env.installed.namespace}`)
      const uid = await inDefault('get', object, '-o', 'jsonpath={.metadata.uid}')
      const selector = `involvedObject.uid=${uid}`
      const format = 'jsonpath={range .items[*]}{.message}{"\\n"}{end}'
      const events = await inDefault('get', 'events', '--field-selector', selector, '-o', format)
      const own = events.split('\n').filter((text) => text.endsWith(` ${env.installed.namespace}`))
      expect(own).to.have.length(1)
    }
    const own = await env.kubectl('get', 'events', '--field-selector', 'reason=NotWatched')
    expect(own).to.equal('')
  })
})

/** Applied without `-n`, as happens. */
const astray = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    ffmpegCommand('astray', {
      commands: ['-f lavfi -i testsrc2=duration=1 {{out_1}}'],
      outputFiles: { out_1: 'a.mp4' },
    }),
    {
      apiVersion: 'cloudffmpeg.dev/v1alpha1',
      kind: 'StoredFile',
      metadata: { name: 'astray' },
      spec: { source: { url: 'https://example.com/a.mp4' } },
    },
  ],
}
