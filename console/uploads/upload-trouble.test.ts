import { expect } from 'chai'
import { UploadBlocked } from '../../cli/client/upload/part-errors.ts'
import { EtagHidden, PartNotSent } from './put-part.ts'
import { StorageTrouble } from './storage-trouble.ts'
import { aFileOf, testUploads } from './uploads.fixture.ts'
import type { SentPart, TestUploads } from './uploads.fixture.ts'
import type { Upload } from './upload.ts'

describe('parts that do not reach the storage', () => {
  let test: TestUploads
  let upload: Upload
  const start = async (parts: number, options = {}) => {
    test = testUploads(options)
    upload = test.uploads.add(aFileOf('film.mov', parts), false)
    await test.settle()
  }
  afterEach(() => test.uploads.close())
  /** The next attempt at the only part that is on its way. */
  const next = async (): Promise<SentPart> => {
    const part = test.parts.shift()
    if (part === undefined) throw new Error('no part is on its way')
    return part
  }
  const fail = async (error: Error, waitMs = 0) => {
    ;(await next()).fail(error)
    await test.settle()
    await test.service.clock.advance(waitMs)
    await test.settle()
  }
  const problem = () => (upload.state.value.kind === 'failed' ? upload.state.value.problem : null)

  it('sends a part again after one failure, which may be a broken connection', async () => {
    await start(1)
    await fail(new PartNotSent(), 1_000)
    expect(upload.state.value).to.have.nested.property('retry.failures', 1)
    ;(await next()).store()
    await test.settle()
    expect(upload.state.value.kind).to.equal('done')
  })

  it('ends the upload at the second failure with the rule of CORS when the storage answers', async () => {
    await start(1)
    await fail(new PartNotSent(), 1_000)
    await fail(new PartNotSent())
    expect(problem()).to.be.instanceOf(StorageTrouble)
    expect(String(problem())).to.contain('does not allow this page (CORS)')
    expect(problem())
      .to.have.nested.property('remedy.command')
      .that.contains('https://console.example')
  })

  it('ends the upload at the second failure with the address when the storage does not answer', async () => {
    await start(1)
    test.isStorageThere = false
    await fail(new PartNotSent(), 1_000)
    await fail(new PartNotSent())
    expect(String(problem())).to.contain('does not answer this browser at https://s3.example')
    expect(problem()).to.have.property('remedy', null)
  })

  it('sends a part up to five times once another was stored, since the storage has allowed the page', async () => {
    await start(2)
    ;(await next()).store()
    await test.settle()
    for (const waitMs of [1_000, 2_000, 4_000, 8_000]) {
      await fail(new PartNotSent(), waitMs)
      expect(upload.state.value.kind).to.equal('sending')
    }
    await fail(new PartNotSent())
    expect(problem()).to.be.instanceOf(PartNotSent)
  })

  it('ends the upload at once, with the rules of the bucket, when the storage hides the ETag', async () => {
    await start(1)
    await fail(new EtagHidden())
    expect(String(problem())).to.contain('hides the ETag')
    expect(problem()).to.have.nested.property('remedy.rules').that.contains('ETag')
  })

  it('ends the upload at once when the file cannot be read any more', async () => {
    test = testUploads()
    const file = aFileOf('film.mov')
    Object.defineProperty(file, 'slice', {
      value: () => ({
        arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')),
      }),
    })
    upload = test.uploads.add(file, false)
    await test.settle()
    await fail(new PartNotSent())
    expect(problem()).to.be.instanceOf(UploadBlocked)
    expect(String(problem())).to.contain('film.mov cannot be read any more')
  })

  it('an upload resumes from the parts in memory when nothing may be stored in this browser', async () => {
    await start(2, { hasJournals: false })
    ;(await next()).store()
    upload.pause()
    await test.settle()
    test.parts.splice(0)
    upload.resume()
    await test.settle()
    expect(test.parts).to.have.length(1)
    await test.uploads.restoreAll()
    expect(test.uploads.list.value).to.deep.equal([upload])
  })
})
