import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { expect } from 'chai'
import { pro } from '../testing/support/api/app.ts'
import { fail, succeed } from '../testing/support/api/outcomes.ts'
import { useFilesApp } from '../testing/support/api/files.ts'
import { webhookSignature } from '../api-server/webhooks/signature.ts'
import { createClient } from '../cli/client/client.ts'
import { runCommand } from '../local-cluster/host/run-command.ts'
import { clusterSettings } from '../local-cluster/host/settings.ts'
import { mypyPython } from '../local-cluster/tools/python-package.ts'
import { listenAt } from '../testing/support/http-server.ts'
import { rejectionOf, useFolder } from '../testing/support/mocha.ts'
import type { TestApp } from '../testing/support/api/app.ts'

const folder = path.resolve(import.meta.dirname, '../cli/python')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('the client for Python', () => {
  const app = useFilesApp({ plans: { pro } })
  const inFolder = useFolder()
  let python = ''
  before(async () => {
    const say = (text: string): void => console.log(`    ${text}`)
    python = await mypyPython({ settings: clusterSettings(process.env), say })
  })

  /** @param lines of a program that has `client` */
  const run = (lines: string, url = app.url): Promise<string> =>
    runCommand(
      python,
      [
        '-c',
        `from cloud_ffmpeg import *\nimport sys\nclient = Client(sys.argv[1], sys.argv[2])\n${lines}`,
        url,
        app.key,
      ],
      {
        env: { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
      },
    )

  it('the client for Python passes mypy --strict', async () => {
    const args = [
      '-m',
      'mypy',
      '--strict',
      '--cache-dir',
      inFolder(),
      path.join(folder, 'cloud_ffmpeg.py'),
    ]
    expect(await runCommand(python, args)).to.contain('Success: no issues found')
  })

  const toRun = `record = client.run('-i {{in_1}} {{out_1}}', {'in_1': 'https://media.example/a.mov'}, {'out_1': 'a.mp4'}, vcpu_count=2)`

  it('runs a command and returns its record, or raises with it', async () => {
    const [shown] = await Promise.all([
      run(`${toRun}\nprint(record['status'], record['vcpu_count'])`),
      endNext(succeed),
    ])
    expect(shown.trim()).to.equal('SUCCESS 2')
    const program = `try:\n  ${toRun}\nexcept CommandFailed as error:\n  print(error, error.record['status'])`
    const [refused] = await Promise.all([run(program), endNext(fail)])
    expect(refused.trim()).to.equal('CANCELLED: Cancelled by request FAILED')
  })

  it('the client for Python runs a chain and passes on each record that it polls', async () => {
    const program = `seen = []
id = client.submit(['-i {{in_1}} {{out_1}}', '-i {{out_1}} {{out_2}}'], {'in_1': 'https://media.example/a.mov'}, {'out_1': 'a.mp4', 'out_2': 'b.mp4'})
record = client.wait(id, on_poll=seen.append)
print(record['command_type'], seen[-1] == record)`
    const [shown] = await Promise.all([run(program), endNext(fail)])
    expect(shown.trim()).to.equal('FFMPEG_CHAINED_COMMANDS True')
  })

  it('says what the service noticed, refused and did not answer, and ends a wait in time', async () => {
    const noticed = `import warnings
with warnings.catch_warnings(record=True) as found:
  warnings.simplefilter('always')
  id = client.submit('-i {{in_1}} {{out_1}}', {'in_1': 'https://media.example/a.mov', 'in_2': 'https://media.example/b.mov'}, {'out_1': 'a.mp4'})
print([str(each.message) for each in found])
try:
  client.wait(id, timeout_seconds=0)
except TimeoutError as error:
  print(error)
try:
  client.submit('-i {{in_9}} {{out_1}}', {}, {'out_1': 'a.mp4'})
except ApiError as error:
  print(error)`
    expect(await run(noticed))
      .to.match(/in_2/)
      .and.match(/^\S+ is QUEUED after 0 s$/m)
      .and.match(/^422: body\.ffmpeg_command: Unknown alias 'in_9'/m)
    const { url, close } = await listenAt('127.0.0.1', createServer())
    await close()
    const silent = `try:\n  client.submit('-version', {}, {})\nexcept URLError as error:\n  print(error.reason)`
    expect(await run(silent, url)).to.contain(`no answer from ${url}: `)
  })

  it('uploads and downloads a file', async () => {
    const bytes = randomBytes(12 * 1024 * 1024 + 5)
    await writeFile(inFolder('clip.bin'), bytes)
    const [from, to] = [inFolder('clip.bin'), inFolder('again.bin')]
    const uploaded = `print(client.upload(${JSON.stringify(from)}, is_private=True)['file_id'])`
    const fileId = (await run(uploaded)).trim()
    // Takes the place of the cluster, which reads the file's facts.
    await app.query('stored', `update files set status = 'STORED' where file_id = '${fileId}'`)
    await run(`record = client.call('GET', '/v1/files/${fileId}?presigned_ttl_seconds=60')
client.download(record['storage_url'], ${JSON.stringify(to)})`)
    expect((await readFile(inFolder('again.bin'))).equals(bytes)).to.equal(true)
  })

  it('raises what the service answers, and sends again what was not answered', async () => {
    const program = `try:\n  client.submit('-i {{in_9}} {{out_1}}', {}, {'out_1': 'a.mp4'})\nexcept ApiError as error:\n  print(error.status, error.detail[0]['loc'], error.request_id is not None)`
    expect(await run(program)).to.match(/^422 \['body', 'ffmpeg_command'\] True/)
    const keys: unknown[] = []
    const busy = createServer((request, response) => {
      keys.push(request.headers['idempotency-key'])
      request.resume()
      if (keys.length === 1) return request.socket.destroy()
      if (keys.length === 2) return response.writeHead(503, { 'retry-after': '0' }).end()
      return response.writeHead(202).end('{"command_id":"an id"}')
    })
    const { url, close } = await listenAt('127.0.0.1', busy)
    try {
      expect(await run("print(client.submit('-version', {}, {'out_1': 'a'}))", url)).to.contain(
        'an id',
      )
    } finally {
      await close()
    }
    expect(keys).to.have.length(3)
    expect(new Set(keys).size, 'keys of one call').to.equal(1)
  })

  it('verifies webhooks that the service signs, and no others', async () => {
    const body = '{"data":"ü"}'
    const timestamp = Math.floor(Date.now() / 1_000)
    const headers = {
      'Webhook-Id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': webhookSignature([secret, 'whsec_AAAA'], {
        id: 'msg_1',
        timestamp,
        body,
      }),
    }
    const verified = (text: string, secrets: string): Promise<string> =>
      run(
        `print(ascii(verify_webhook(${JSON.stringify(text)}.encode(), ${JSON.stringify(headers)}, ${secrets})))`,
      )
    expect(await verified(body, `'${secret}'`)).to.contain("{'data': '\\xfc'}")
    expect(await verified(body, "['whsec_BBBB', 'whsec_AAAA']")).to.contain('data')
    for (const [text, secrets] of [
      [`${body} `, `'${secret}'`],
      [body, "'whsec_BBBB'"],
    ] as const) {
      expect(String(await rejectionOf(verified(text, secrets)))).to.contain('WebhookRefused')
    }
  })

  /** Ends the next command as a runner would. */
  async function endNext(end: (app: TestApp, commandId: string) => Promise<void>): Promise<void> {
    const client = createClient({ url: app.url, apiKey: app.key })
    for await (const { command_id, status } of client.getEvents()) {
      if (status === 'QUEUED') return end(app, command_id)
    }
  }
})
