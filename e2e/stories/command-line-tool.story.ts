import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { readBlocks } from '../../testing/documents/read-blocks.ts'
import { startShell } from '../../testing/documents/start-shell.ts'
import { useEnvironment } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { admin, newAccount } from '../steps/new-account.ts'
import { startReceiver } from '../steps/receiver.ts'
import { runsFor, submitAndWait } from '../steps/submit-and-wait.ts'
import type { NewAccount } from '../steps/new-account.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

describe('the command line tool', () => {
  const env = useEnvironment()

  const tool = (...args: string[]) =>
    run('npx', ['cloud-ffmpeg', ...args], {
      cwd: root,
      env: {
        ...process.env,
        CLOUD_FFMPEG_URL: env.installed.url,
        CLOUD_FFMPEG_API_KEY: env.installed.apiKey,
      },
    })

  it('takes a file of this machine and brings the result back to it', async () => {
    const [input, output] = ['clip.mp4', 'by-tool.mp4'].map((name) => path.join(env.folder, name))
    await tool(
      'run',
      '-y',
      '-i',
      `in_1=${input}`,
      '-o',
      `out_1=${output}`,
      '--',
      '-i',
      '{{in_1}}',
      '-vf',
      'scale=-2:120,drawtext=text=two words:x=10',
      '{{out_1}}',
    )
    const bytes = await readFile(output ?? '')
    expect(await env.programs.probe(bytes)).to.include({ codec: 'h264' })
  })

  it('the tool ends with the reason where the command fails', async () => {
    const failed: unknown = await tool('run', '--', '-i', 'x').catch((error: unknown) => error)
    expect(failed).to.have.property('code').that.is.greaterThan(0)
    const refusedText = await tool(
      'run',
      '-i',
      `in_1=${env.origin.url('clip.mp4')}`,
      '-o',
      'out_1=/tmp/never.mp4',
      '--',
      '-i',
      '{{in_1}}',
      '-vf',
      'nosuchfilter',
      '{{out_1}}',
    ).catch((error: unknown) => error)
    expect(refusedText)
      .to.have.property('stderr')
      .that.matches(/nosuchfilter/)
  })

  it('the tool runs each sample of docs/cli.md, with files, ids and a receiver of webhooks in their places', async () => {
    const account = await newAccount(env, 'unlimited')
    const { client } = account
    const { receiver, names } = await namesOfSamples(account)
    const folder = await mkdtemp(path.join(tmpdir(), 'samples-of-tool-'))
    await copyFile(path.join(env.folder, 'clip.mp4'), path.join(folder, 'clip.mov'))
    const shell = startShell({
      folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        CLOUD_FFMPEG_URL: env.installed.url,
        CLOUD_FFMPEG_API_KEY: account.apiKey,
      },
    })
    await shell.run(`cloud-ffmpeg() { node ${root}/cli/cloud-ffmpeg.mjs "$@"; }`)
    try {
      for (const line of await samplesOfTool()) {
        const { command_id: waiting } = line.includes(' cancel ')
          ? await client.submit(runsFor(60))
          : { command_id: names.COMMAND_ID }
        const filled = line
          .replace('files delete FILE_ID', 'files delete DELETED_ID')
          .replace('COMMAND_ID', waiting)
          .replace('https://app.example/hook', receiver.url)
          .replaceAll(
            /\b(FILE_ID|DELETED_ID|KEY_ID|WEBHOOK_ID)\b/g,
            (name) => names[name as keyof typeof names],
          )
        const { code, output, errors } = await shell.run(filled)
        if (line.includes(' keys create ')) {
          expect(errors, 'without accounts.selfServiceKeys').to.contain('administrator')
        } else expect(code, `${filled}: ${output}${errors}`).to.equal(0)
      }
    } finally {
      await shell.close()
      await receiver.close()
      await rm(folder, { recursive: true, force: true })
    }
  })

  /** Lines of the list of all commands; a server, and a sign-in that reads a key, have tests of their own. */
  async function samplesOfTool(): Promise<string[]> {
    const blocks = readBlocks(await readFile(path.join(root, 'docs/cli.md'), 'utf8'))
    const list = blocks.find(({ text }) => text.includes('cloud-ffmpeg version'))
    const lines = (list?.text ?? '').split('\n')
    expect(lines.length).to.be.greaterThan(30)
    return lines.filter((line) => !/ (webhooks listen|login|logout|use) /.test(line))
  }

  async function namesOfSamples({ client, name }: NewAccount) {
    const receiver = await startReceiver(env.cluster.hostAddress, [204])
    const record = await submitAndWait(client, {
      input_files: { in_1: env.origin.url('clip.mp4') },
      output_files: { out_1: 'small.mp4', out_2: 'still.jpg' },
      ffmpeg_command: '-i {{in_1}} -c copy {{out_1}} -frames:v 1 {{out_2}}',
      webhook_url: receiver.url,
    })
    await eventually('the event has been sent', async () => receiver.calls.length > 0)
    const [delivery] = await client.listWebhookDeliveries({})
    const made = JSON.parse(await admin(env, 'keys', 'create', name)) as { key_id: string }
    return {
      receiver,
      names: {
        COMMAND_ID: record.command_id,
        FILE_ID: record.output_files?.['out_1']?.file_id ?? '',
        DELETED_ID: record.output_files?.['out_2']?.file_id ?? '',
        KEY_ID: made.key_id,
        WEBHOOK_ID: delivery?.webhook_id ?? '',
      },
    }
  }
})
