import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { fileOf, pasted, readBlocks } from '../../testing/documents/read-blocks.ts'
import type { Block } from '../../testing/documents/read-blocks.ts'
import { isShown } from '../../testing/documents/shown-output.ts'
import type { Shell } from '../../testing/documents/start-shell.ts'
import { scaled } from '../../testing/scale.ts'
import { nextSteps } from '../../scripts/quickstart/summary.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { makeClone, openShell } from './clone.fixture.ts'
import { environment } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'

const root = path.resolve(import.meta.dirname, '../..')

describe('a newcomer pastes the commands of a document', () => {
  let env: Environment
  let folder: string
  before(async function () {
    env = await environment(this)
    folder = await makeClone(env)
  })

  for (const name of scaled({ smoke: ['README.md'], full: pasted })) {
    it(`${name}, word for word, and sees what it says`, async () => {
      const blocks = readBlocks(await readFile(path.join(root, name), 'utf8'))
      const shell = openShell(folder)
      try {
        // A document may show a command before it says how to come by its variables.
        await shell.run('source .quickstart/env')
        let ran = 0
        for (const [index, block] of blocks.entries()) {
          const file = fileOf(block)
          if (file !== null) await writeFile(path.join(folder, file), block.text)
          if (block.language !== 'sh' || block.notRun !== null) continue
          await runBlock(shell, name, block, blocks[index + 1])
          ran += 1
        }
        expect(ran, 'blocks').to.be.greaterThan(0)
        if (name === 'README.md') await lookBehindReadme(shell)
      } finally {
        await shell.close()
      }
    })
  }

  it('the three lines at the end of quickstart', async () => {
    const text = nextSteps({ ...env.installed, sample: env.origin.url('clip.mp4') })
    const lines = text.split('\n').filter((line) => line.startsWith('  '))
    expect(lines).to.have.length(3)
    const shell = openShell(folder)
    try {
      const outputs = []
      for (const line of lines) {
        const { code, output, errors } = await shell.run(line)
        expect(code, errors).to.equal(0)
        outputs.push(output)
      }
      expect(outputs[1]).to.match(/^\{"command_id":"[0-9a-f-]{36}"\}\n$/)
      expect(outputs[2]).to.match(/^NAME +STATE/)
    } finally {
      await shell.close()
    }
  })

  it('the notes that helm prints after an installation', async () => {
    const { cluster, installed } = env
    const release = ['-n', installed.namespace, 'get', 'notes', 'cloud-ffmpeg']
    const notes = await runCommand(cluster.helm, ['--kubeconfig', cluster.kubeconfig, ...release])
    const pasted = notes.split('\n').filter((line) => line.startsWith('  '))
    const shell = openShell(folder)
    try {
      await shell.run('source .quickstart/env')
      const commands = pasted.filter((line) => !line.includes('--watch')).join('\n')
      const { code, output, errors } = await shell.run(commands)
      expect(code, errors).to.equal(0)
      expect(output)
        .to.match(/\{"command_id":"[0-9a-f-]{36}"\}/)
        .and.match(/^first +SUCCESS/m)
    } finally {
      await shell.close()
    }
  })

  it('the sample of the page at /', async () => {
    const page = await fetch(env.installed.url, { headers: { Accept: 'text/html' } })
    const [, sample = ''] = /<pre[^>]*>([^]*)<\/pre>/.exec(await page.text()) ?? []
    const shell = openShell(folder)
    try {
      await shell.run('source .quickstart/env')
      // The page's script replaces the element by the address of the page.
      const { output } = await shell.run(sample.replaceAll(/<\/?b>/g, ''))
      expect(output).to.match(/^\{"command_id":"[0-9a-f-]{36}"\}\n$/)
    } finally {
      await shell.close()
    }
  })

  async function runBlock(shell: Shell, name: string, block: Block, next?: Block): Promise<void> {
    const where = `${name}, line ${block.line}`
    const text = block.text.replace('NAMESPACE', env.installed.namespace)
    const { code, output, errors } = await shell.run(text.replace('RELEASE', 'cloud-ffmpeg'))
    expect(code, `${where}: ${output}${errors}`).to.equal(0)
    // curl ends with 0 where the service refuses.
    expect(output, where).not.to.match(/^\{"detail":/m)
    if (next?.language !== 'json' && next?.language !== 'text') return
    const agrees = isShown(next.language, next.text, output)
    expect(agrees, `${where} printed ${output}, the document shows ${next.text}`).to.equal(true)
  }

  /** Checks the results of the commands of README.md, and its sample of the client. */
  async function lookBehindReadme(shell: Shell): Promise<void> {
    const small = await readFile(path.join(folder, 'small.mp4'))
    expect(await env.programs.probe(small)).to.include({ codec: 'h264', duration: '5.000000' })
    const sample = await shell.run('npx node sample.ts')
    expect(sample.output, sample.errors).to.match(/status: 'SUCCESS'/)
  }
})
