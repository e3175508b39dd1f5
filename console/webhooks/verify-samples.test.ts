import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { expect } from 'chai'
import { webhookSignature } from '../../api-server/webhooks/signature.ts'
import { useFolder } from '../../testing/support/mocha.ts'
import { secretVariable, verifySamples } from './verify-samples.ts'
import type { ChildProcess } from 'node:child_process'

const root = path.resolve(import.meta.dirname, '../..')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
/** A parser would write it in another way. */
const body = '{ "type":"command.finished",  "data": {"note": "ü\\u00e9"} }'

/** The sample on a free port, which it prints, in place of a fixed one. */
const onFreePort = {
  Node: [
    '.listen(8000)',
    ".listen(0, '127.0.0.1', function () { console.log(this.address().port) })",
  ],
  Python: [
    'HTTPServer(("", 8000), Receiver).serve_forever()',
    'server = HTTPServer(("127.0.0.1", 0), Receiver)\nprint(server.server_port, flush=True)\nserver.serve_forever()',
  ],
} as const

/** The package as users install it, as far as the sample imports it. */
async function installPackage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const exports = { './webhooks': './webhooks.js' }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', exports }))
  await build({
    entryPoints: [path.join(root, 'cli/exports/webhooks.ts')],
    outfile: path.join(folder, 'webhooks.js'),
    bundle: true,
    format: 'esm',
  })
}

describe('samples of receivers of webhooks', () => {
  const at = useFolder()
  let receiver: ChildProcess | null = null
  afterEach(() => receiver?.kill())

  const start = async (language: keyof typeof verifySamples): Promise<string> => {
    const [from, to] = onFreePort[language]
    const code = verifySamples[language].replace(from, to)
    expect(code, 'the sample listens').to.contain(to)
    if (language === 'Node') await installPackage(at('node_modules/cloud-ffmpeg'))
    const file = at(language === 'Node' ? 'receiver.mjs' : 'receiver.py')
    await writeFile(file, code)
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: path.join(root, 'cli/python'),
      PYTHONDONTWRITEBYTECODE: '1',
      [secretVariable]: secret,
    }
    const started = spawn(language === 'Node' ? process.execPath : 'python3', [file], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    receiver = started
    for await (const port of createInterface(started.stdout)) return `http://127.0.0.1:${port}`
    throw new Error('the receiver has ended')
  }

  const send = async (url: string, sent: string, key = secret): Promise<number> => {
    const timestamp = Math.floor(Date.now() / 1_000)
    const { status } = await fetch(url, {
      method: 'POST',
      body: sent,
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': webhookSignature([key], { id: 'msg_1', timestamp, body }),
      },
    })
    return status
  }

  for (const language of ['Node', 'Python'] as const) {
    it(`accepts a signed event and refuses a changed or forged one when it runs in ${language}`, async () => {
      const url = await start(language)
      expect(await send(url, body), 'signed').to.equal(204)
      expect(await send(url, body.replace('finished', 'finishes')), 'changed').to.equal(400)
      expect(await send(url, body, `whsec_${btoa('another secret')}`), 'forged').to.equal(400)
      expect(await send(url, body), 'the receiver goes on').to.equal(204)
    })
  }

  it('holds the name of the variable of the secret and no secret', () => {
    for (const code of Object.values(verifySamples)) {
      expect(code).to.contain(secretVariable).and.not.to.contain('whsec')
    }
  })
})
