import { expect } from 'chai'
import { unknownId } from '../../../testing/support/api/app.ts'
import { start } from '../../../testing/support/api/outcomes.ts'
import { complete, uploaded, useFilesApp } from '../../../testing/support/api/files.ts'
import { outputKey } from '../../../common/domain/storage-keys.ts'
import { commitOf, newFile } from '../../../testing/store-contract/fixtures.ts'
import { cli } from '../../cli.fixture.ts'

describe('cloud-ffmpeg doctor, with files in a storage', () => {
  const app = useFilesApp()

  async function storage(): Promise<{ code: number; lines: string[] }> {
    const { code, out } = await cli(['doctor'], { url: app.url, key: app.key, folder: '/none' })
    return { code, lines: out.trim().split('\n').slice(4) }
  }

  /** Ends a command with one output that is in the bucket. */
  async function store(visibility: 'private' | 'public'): Promise<void> {
    const isPrivate = visibility === 'private'
    const commandId = await app.submit({ is_private: isPrivate })
    const attempt = await start(app, commandId)
    const place = { visibility, accountId: unknownId, commandId, attempt } as const
    const key = outputKey({ ...place, path: 'small.mp4' })
    const bytes = new TextEncoder().encode('a small one')
    await app.objects.putBytes({ key, bytes, contentType: 'video/mp4', attachment: false })
    const files = [{ ...newFile(commandId), key, isPrivate }]
    await app.store.commitOutcome(commitOf(commandId, attempt, { status: 'SUCCESS', files }))
  }

  it('leaves out a private upload that is not analysed yet, whose URL is never signed', async () => {
    const { fileId, parts } = await uploaded(app, { is_private: true })
    expect((await complete(app, fileId, parts)).status).to.equal(200)
    const { code, lines } = await storage()
    expect([code, ...lines]).to.deep.equal([
      0,
      'ok       storage  not tried: no file is stored yet',
    ])
  })

  it('reads a private file by a presigned URL, and notes that pages may not', async () => {
    await store('private')
    const { code, lines } = await storage()
    expect(lines[0]).to.equal(`ok       storage  ${app.bucket.endpoint}`)
    expect(lines[1]).to.match(/^note +CORS +the storage refuses pages of http.*admin storage cors/)
    expect(code).to.equal(0)
  })

  it('finds that public files cannot be read, though private ones are newer', async () => {
    await store('public')
    await store('private')
    const { code, lines } = await storage()
    expect(lines).to.deep.equal([
      `PROBLEM  storage  ${app.bucket.endpoint} answers 403: does it allow reading public files?`,
    ])
    expect(code).to.equal(1)
  })
})
