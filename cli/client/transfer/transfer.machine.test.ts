import { createHash, randomBytes } from 'node:crypto'
import { appendFile, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { rejectionOf, useFolder } from '../../../testing/support/mocha.ts'
import { downloadFile } from './download-file.ts'
import { uploadFile } from './upload-file.ts'
import { uploadJournal } from './file-journal.ts'
import { createClient } from '../client.ts'
import { listenAt } from '../../../testing/support/http-server.ts'
import { mebibyte, useFilesApp } from '../../../testing/support/api/files.ts'
import { systemClock } from '../../../common/runtime/system-effects.ts'
import type { Client } from '../client.ts'

const sizeBytes = 40 * mebibyte + 7

describe('an upload', () => {
  const app = useFilesApp()
  const inFolder = useFolder()
  let client: Client
  let file: string
  let journalFile: string
  before(() => {
    client = createClient({ url: app.url, apiKey: app.key })
  })
  beforeEach(async () => {
    file = inFolder('clip of mine.mov')
    journalFile = inFolder('state', 'journal.jsonl')
    await writeFile(file, randomBytes(sizeBytes))
  })

  const upload = (more: Partial<Parameters<typeof uploadFile>[0]> = {}) =>
    uploadFile({ client, file, journal: uploadJournal(journalFile), parallel: 1, ...more })

  /** Stops in the second of three parts without cleanup, like SIGKILL. */
  async function interrupted(): Promise<string> {
    const stop = new AbortController()
    const error = await rejectionOf(
      upload({
        signal: stop.signal,
        onProgress: (sent) => sent > 20 * mebibyte && stop.abort(new Error('killed')),
      }),
    )
    expect(error).to.include({ message: 'killed' })
    const begun = await uploadJournal(journalFile).read()
    expect([...(begun?.etags.keys() ?? [])]).to.deep.equal([1])
    return begun?.session.file_id ?? ''
  }

  it('an upload is complete, and leaves no journal', async () => {
    const record = await upload({ parallel: 4, isPrivate: true })
    expect(record).to.include({ status: 'UPLOADED', is_private: true })
    const { storage_url: url } = await stored(record.file_id)
    const copy = inFolder('copy')
    await downloadFile({ url: url ?? '', file: copy })
    expect(await hashOf(copy)).to.equal(await hashOf(file))
    expect(await uploadJournal(journalFile).read()).to.equal(null)
  })

  it('an upload resumes after a kill, also with an incomplete line in its journal', async () => {
    const fileId = await interrupted()
    await appendFile(journalFile, '{"part":2,"et')
    const sent: number[] = []
    const record = await upload({ onProgress: (bytes) => sent.push(bytes) })
    expect(record.file_id).to.equal(fileId)
    expect(sent[0]).to.equal(16 * mebibyte)
    expect(sent.at(-1)).to.equal(sizeBytes)
  })

  it('an upload begins again when the session has ended', async () => {
    const fileId = await interrupted()
    await client.abortUpload(fileId)
    const record = await upload()
    expect(record.status).to.equal('UPLOADED')
    expect(record.file_id).not.to.equal(fileId)
  })

  it('an upload begins again when the file has changed', async () => {
    const fileId = await interrupted()
    await writeFile(file, randomBytes(mebibyte))
    expect((await upload()).file_id).not.to.equal(fileId)
  })

  it('finds the complete file after a kill at the end', async () => {
    const journal = uploadJournal(journalFile)
    const first = await upload({ journal: { ...journal, remove: async () => undefined } })
    expect((await upload()).file_id).to.equal(first.file_id)
    expect(await journal.read()).to.equal(null)
  })

  it('rejects a file that changes during the upload', async () => {
    const error = await rejectionOf(
      upload({
        onProgress: (sent) => sent === sizeBytes && void utimes(file, 1, 1),
      }),
    )
    expect(String(error)).to.match(/changed while it was uploaded/)
  })

  it('rejects a folder and an empty file', async () => {
    await writeFile(file, '')
    for (const [where, message] of [
      [file, /is empty/],
      [inFolder(), /is not a regular file/],
      [inFolder('none'), /ENOENT/],
    ] as const) {
      const error = await rejectionOf(upload({ file: where }))
      expect(String(error)).to.match(message)
    }
  })

  /** Sets STORED as the analysis would: private URLs are presigned from then on. */
  async function stored(fileId: string) {
    await app.query('stored', `update files set status = 'STORED' where file_id = '${fileId}'`)
    return client.getFile(fileId, { presigned_ttl_seconds: 3_600 })
  }
})

describe('a download', () => {
  const soon = {
    ...systemClock,
    schedule: (_: number, work: () => void) => systemClock.schedule(1, work),
  }
  const inFolder = useFolder()

  it('a download resumes after a broken connection', async () => {
    const content = randomBytes(mebibyte)
    const ranges: (string | undefined)[] = []
    const server = createServer((request, response) => {
      ranges.push(request.headers.range)
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
      const rest = content.subarray(start)
      response.writeHead(start === 0 ? 200 : 206, { 'Content-Length': rest.length, ETag: '"v1"' })
      if (start > 0) response.end(rest)
      else response.write(rest.subarray(0, 300_000), () => response.destroy())
    })
    const { url, close } = await listenAt('127.0.0.1', server)
    const file = inFolder('new', 'out.mp4')
    await downloadFile({ url: `${url}/a`, file, clock: soon })
    await close()
    expect((await readFile(file)).equals(content)).to.equal(true)
    expect(ranges[0]).to.equal(undefined)
    expect(ranges[1]).to.match(/^bytes=\d+-$/)
  })

  it('a download leaves no file when it is refused, and its error contains no signature', async () => {
    const answer = () => Promise.resolve(new Response('', { status: 403, statusText: 'Forbidden' }))
    const file = inFolder('out.mp4')
    const error = await rejectionOf(
      downloadFile({
        url: 'https://a.example/b?sig=s',
        file,
        fetch: answer,
      }),
    )
    expect(String(error))
      .to.match(/answered 403/)
      .and.not.match(/sig=/)
    for (const left of [file, `${file}.part`]) {
      expect(await stat(left).catch(() => null)).to.equal(null)
    }
  })
})

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}
