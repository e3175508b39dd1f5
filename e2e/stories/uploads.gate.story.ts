import { spawn } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, watch, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'
import { refused, submitAndWait } from '../steps/submit-and-wait.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'

const cli = path.resolve(import.meta.dirname, '../../cli/main.ts')

describe('a developer uploads a file', () => {
  const env = useEnvironment()

  it('uploads 100 MB in parts, with a client that is killed on the way and started again', async () => {
    const bytes = randomFillSync(Buffer.alloc(100 * 1_048_576))
    const file = path.join(env.folder, 'large.bin')
    await writeFile(file, bytes)
    const journals = path.join(env.folder, 'state/cloud-ffmpeg/uploads')
    await mkdir(journals, { recursive: true })
    const storedPart = firstStoredPart(journals)
    const first = upload(file)
    await storedPart
    first.process.kill('SIGKILL')
    const [, signal] = (await once(first.process, 'close')) as [number | null, string | null]
    expect(signal, 'the first client was on its way').to.equal('SIGKILL')

    const second = upload(file)
    const [code] = (await once(second.process, 'close')) as [number]
    expect(code, second.shown()).to.equal(0)
    const { file_id } = JSON.parse(second.printed()) as FileRecord
    const record = await env.client.waitForFile(file_id, { pollMs: 200 })
    expect(record).to.include({ status: 'STORED', size_mbytes: 100, file_type: 'other' })
    const stored = await fetch(record.storage_url ?? '')
    expect(sha256(Buffer.from(await stored.arrayBuffer()))).to.equal(sha256(bytes))
    expect(await refused(env.client.abortUpload(file_id))).to.include({ status: 400 })
    await env.client.deleteFile(file_id)
  })

  it('uses an uploaded file as an input before its analysis is done', async () => {
    const clip = await fetch(env.origin.url('clip.mp4'))
    const bytes = Buffer.from(await clip.arrayBuffer())
    const session = await env.client.initUpload({
      filename: 'my clip.mp4',
      size_bytes: bytes.length,
    })
    const [url = ''] = session.upload_urls
    const put = await fetch(url, { method: 'PUT', body: bytes })
    const parts = [{ part_number: 1, etag: put.headers.get('etag') ?? '' }]
    const wrong = [{ part_number: 1, etag: '"0123456789abcdef0123456789abcdef"' }]
    expect(await refused(env.client.completeUpload(session.file_id, { parts: wrong }))).to.include({
      status: 400,
    })
    const uploaded = await env.client.completeUpload(session.file_id, { parts })
    expect(uploaded).to.include({ status: 'UPLOADED', original_file_url: 'my clip.mp4' })
    const command = await submitAndWait(env.client, {
      input_files: { in_1: uploaded.storage_url ?? '' },
      output_files: { out_1: 'still.png' },
      ffmpeg_command: '-i {{in_1}} -frames:v 1 {{out_1}}',
    })
    expect(command.error_message).to.equal(null)
    const record = await env.client.waitForFile(session.file_id, { pollMs: 200 })
    expect(record).to.include({ status: 'STORED', codec: 'h264', width: 320, file_type: 'video' })
  })

  it('aborts an upload, once', async () => {
    const { file_id } = await env.client.initUpload({ filename: 'no.mp4', size_bytes: 1 })
    const aborted = await env.client.abortUpload(file_id)
    expect(aborted).to.include({ status: 'FAILED', error_status: 'CANCELLED' })
    expect(await refused(env.client.abortUpload(file_id))).to.deep.equal({
      status: 400,
      detail: 'File is not in an upload-in-progress state: its status is FAILED',
    })
  })

  function upload(file: string) {
    const child = spawn(process.execPath, [cli, 'files', 'upload', '--json', file], {
      env: {
        ...process.env,
        CLOUD_FFMPEG_URL: env.installed.url,
        CLOUD_FFMPEG_API_KEY: env.installed.apiKey,
        XDG_STATE_HOME: path.join(env.folder, 'state'),
      },
    })
    const text = { out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()))
    return { process: child, printed: () => text.out, shown: () => text.err }
  }
})

/** Resolves as soon as a journal of an upload names a part that storage has. */
async function firstStoredPart(folder: string): Promise<void> {
  for await (const { filename } of watch(folder)) {
    const text = await readFile(path.join(folder, filename ?? ''), 'utf8').catch(() => '')
    if (text.includes('"part"')) return
  }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
