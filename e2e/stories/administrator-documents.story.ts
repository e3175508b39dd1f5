import { randomBytes } from 'node:crypto'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { filledIn, readBlocks } from '../../testing/documents/read-blocks.ts'
import { isRecord } from '../../local-cluster/host/run-command.ts'
import { environment } from '../steps/environment.ts'
import { admin } from '../steps/new-account.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'
import { makeClone, openShell } from './clone.fixture.ts'
import type { Shell } from '../../testing/documents/start-shell.ts'
import type { Environment } from '../steps/environment.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Objects that a healthy installation may lack; a selector that finds nothing else is a wrong one. */
const mayLack =
  /events|hpa|quota|limitranges|validating|command-id|cloudffmpeg.dev.pool|ffmpegcommands|jobs/

describe('an administrator pastes the commands of a document', () => {
  let env: Environment
  let folder: string
  let commandId: string
  const account = `acme-${randomBytes(4).toString('hex')}`
  before(async function () {
    env = await environment(this)
    folder = await makeClone(env)
    for (const name of ['clip.mov', 'talk.mp4']) {
      await copyFile(path.join(env.folder, 'clip.mp4'), path.join(folder, name))
    }
    const record = await submitAndWait(env.client, {
      input_files: { in_1: env.origin.url('clip.mp4') },
      output_files: { out_1: 'film.mp4' },
      ffmpeg_command: '-i {{in_1}} -c copy -movflags +faststart {{out_1}}',
      is_private: true,
    })
    expect(record.error_message).to.equal(null)
    commandId = record.command_id
  })

  for (const name of filledIn) {
    it(`${name}, with the names of the installation, and each command finds what it names`, async () => {
      const blocks = readBlocks(await readFile(path.join(root, name), 'utf8'))
      const run = blocks.filter(({ language, notRun }) => language === 'sh' && notRun === null)
      expect(run).not.to.deep.equal([])
      const shell = await administratorsShell()
      try {
        for (const { line, text } of run)
          await runLines(shell, `${name}, line ${line}`, filled(text))
      } finally {
        await shell.close()
      }
    })
  }

  for (const name of ['docs/gitops.md', 'docs/kubernetes.md']) {
    it(`${name}, whose objects the cluster accepts`, async () => {
      const blocks = readBlocks(await readFile(path.join(root, name), 'utf8'))
      const objects = blocks.filter(
        ({ language, text }) => language === 'yaml' && /^kind: /m.test(text),
      )
      expect(objects).not.to.deep.equal([])
      for (const { text } of objects) {
        const file = path.join(folder, 'object.yaml')
        await writeFile(file, text.replaceAll('team-a', env.installed.namespace))
        const printed = await env.kubectl('apply', '--dry-run=server', '-f', file)
        expect(printed).to.match(/(created|configured|unchanged) \(server dry run\)/)
      }
    })
  }

  it('docs/operations/administration.md names commands of the administration that its pods know', async () => {
    const text = await readFile(path.join(root, 'docs/operations/administration.md'), 'utf8')
    const words =
      /`((?:pause|queue|commands|plans|limits|usage|check|actions|pauses|dead-letters list)\b[^`]*)`/g
    const commands = new Set([...text.matchAll(words)].map(([, command = '']) => command))
    expect(commands.size).to.be.greaterThan(12)
    const failed = await submitAndWait(env.client, {
      input_files: {},
      output_files: { out_1: 'a.png' },
      ffmpeg_command: '-f lavfi -i color=s=16x16 -vf nosuchfilter -frames:v 1 {{out_1}}',
    })
    for (const command of commands) {
      const args = command
        .replaceAll(/[[\]]|\.\.\./g, '')
        .replaceAll(/\b(\w+)(?:\|\w+)+/g, '$1')
        .replace('FIGURE=VALUE', 'vcpuTotal=8')
        .replace('COMMAND_ID', failed.command_id)
        .replace('--limit N', '--limit 5')
        .replace('YYYY-MM', new Date().toISOString().slice(0, 7))
        .replace('KIND', 'delivery')
        .replace('ACCOUNT', 'default')
      const changes =
        /^(pause|commands (cancel|requeue)|limits set)/.test(args) && !args.startsWith('pauses')
      await admin(env, ...args.split(' '), ...(changes ? ['--dry-run'] : []))
    }
  })

  async function administratorsShell(): Promise<Shell> {
    const shell = openShell(folder)
    const { database } = env.installed.values
    const url = isRecord(database) ? String(database['url']) : ''
    await shell.run(
      `source .quickstart/env; export DATABASE_URL='${url}'; id=${commandId}; ` +
        'cloud-ffmpeg() { npx --no-install cloud-ffmpeg "$@"; }; ' +
        `kubectl config set-context --current --namespace=${env.installed.namespace}`,
    )
    return shell
  }

  /** The cluster of the tests has no metrics-server. */
  function filled(text: string): string {
    return text
      .replaceAll(/^kubectl top .*\n?/gm, '')
      .replaceAll(/\bNAMESPACE\b/g, env.installed.namespace)
      .replaceAll(/\bRELEASE\b/g, 'cloud-ffmpeg')
      .replaceAll(/\bacme\b/g, account)
  }

  async function runLines(shell: Shell, where: string, text: string): Promise<void> {
    const commands = text.replaceAll('\\\n', ' ').split('\n')
    for (const command of commands.filter((one) => one !== '')) {
      const { code, output, errors } = await shell.run(command)
      expect(code, `${where}: ${command}: ${output}${errors}`).to.equal(0)
      if (!mayLack.test(command))
        expect(errors, `${where}: ${command}`).not.to.contain('No resources found')
    }
  }
})
