import { expect } from 'chai'
import { aFile } from '../shell/samples.fixture.ts'
import { status } from '../shell/scripted-service.fixture.ts'
import { idOf } from './browser-journal.ts'
import { aFileOf, partBytes, testUploads } from './uploads.fixture.ts'
import type { TestUploads } from './uploads.fixture.ts'
import type { Upload } from './upload.ts'

describe('uploads of a page', () => {
  let test: TestUploads
  beforeEach(() => {
    test = testUploads()
  })
  afterEach(() => test.uploads.close())

  const add = async (file: File, isPrivate = false): Promise<Upload> => {
    const upload = test.uploads.add(file, isPrivate)
    await test.settle()
    return upload
  }
  const storeAll = async () => {
    for (let next = test.parts.shift(); next !== undefined; next = test.parts.shift()) {
      next.store()
      await test.settle()
    }
  }
  const kindOf = (upload: Upload) => upload.state.value.kind
  const begun = () => test.service.requests.filter((one) => one.endsWith('/init-upload')).length

  it('sends all parts of a file and returns its record', async () => {
    const upload = await add(aFileOf('film.mov', 5))
    expect(kindOf(upload)).to.equal('sending')
    await storeAll()
    expect(upload.state.value).to.deep.include({ kind: 'done' })
    expect(upload.state.value.kind === 'done' && upload.state.value.file.storage_url).to.equal(
      'https://s3.example/f1',
    )
    expect(upload.sentBytes.value).to.equal(5 * partBytes)
    expect(test.service.bodies.at(-1)).to.deep.equal({
      parts: [0, 1, 2, 3, 4].map((index) => ({
        part_number: index + 1,
        etag: `etag of ${index * partBytes}`,
      })),
    })
  })

  it('sends three parts of a file at a time and two files at a time, in the order of their arrival', async () => {
    const files = await Promise.all(['a', 'b', 'c'].map((name) => add(aFileOf(name, 4))))
    expect(files.map(kindOf)).to.deep.equal(['sending', 'sending', 'waiting'])
    expect(test.parts).to.have.length(6)
    await storeAll()
    expect(files.map(kindOf)).to.deep.equal(['done', 'done', 'done'])
  })

  it('sends a file once although it is dropped again during and after its upload', async () => {
    const file = aFileOf('film.mov')
    const upload = await add(file)
    expect(await add(file)).to.equal(upload)
    await storeAll()
    expect(await add(file)).to.equal(upload)
    expect([begun(), test.uploads.list.value.length]).to.deep.equal([1, 1])
  })

  it('idOf differs when account, size or time of a file of the same name differ', () => {
    const ids = [1, 2].flatMap((sizeBytes) =>
      [1, 2].map((modifiedMs) => idOf('account', 'film.mov', { sizeBytes, modifiedMs })),
    )
    const other = idOf('other', 'film.mov', { sizeBytes: 1, modifiedMs: 1 })
    expect(new Set([...ids, other]).size).to.equal(5)
  })

  it('refuses an empty file without a request to the service', async () => {
    const upload = await add(aFileOf('nothing.txt', 0))
    const { state } = upload
    expect(state.value.kind === 'failed' && String(state.value.problem)).to.contain(
      'nothing.txt is empty',
    )
    expect(test.service.requests).to.deep.equal([])
  })

  it('stops an upload when it is paused, and sends the missing parts when it is resumed', async () => {
    const upload = await add(aFileOf('film.mov', 4))
    const [first, ...others] = test.parts.splice(0)
    first?.store()
    await test.settle()
    upload.pause()
    await test.settle()
    expect(kindOf(upload)).to.equal('paused')
    expect(others.every((one) => one.isAborted())).to.equal(true)
    test.parts.splice(0)
    upload.resume()
    await test.settle()
    expect(test.parts.map(({ start }) => start / partBytes)).to.deep.equal([1, 2, 3])
    await storeAll()
    expect([kindOf(upload), begun()]).to.deep.equal(['done', 1])
  })

  it('gives the place of a paused upload that waits to the next file', async () => {
    const [first] = await Promise.all(['a', 'b'].map((name) => add(aFileOf(name))))
    const [waiting, next] = await Promise.all(['c', 'd'].map((name) => add(aFileOf(name))))
    waiting?.pause()
    first?.pause()
    await test.settle()
    expect([waiting, next].map((one) => one && kindOf(one))).to.deep.equal(['paused', 'sending'])
  })

  it('keeps the number of sent bytes when a part is sent again', async () => {
    const upload = await add(aFileOf('film.mov', 2))
    const [first] = test.parts
    first?.sent(partBytes / 2)
    expect(upload.sentBytes.value).to.equal(partBytes / 2)
    first?.fail(new Error('the connection broke'))
    await test.settle()
    expect(upload.sentBytes.value).to.equal(partBytes / 2)
    expect(upload.state.value).to.deep.equal({
      kind: 'sending',
      retry: { part: 1, failures: 1, waitMs: 1_000 },
    })
  })

  it('shows that a part is sent again until that part is stored, not another one', async () => {
    const upload = await add(aFileOf('film.mov', 2))
    const [first, second] = test.parts.splice(0)
    first?.fail(new Error('the connection broke'))
    await test.settle()
    second?.store()
    await test.settle()
    expect(upload.state.value).to.have.nested.property('retry.part', 1)
    await test.service.clock.advance(1_000)
    test.parts[0]?.store()
    await test.settle()
    expect(kindOf(upload)).to.equal('done')
  })

  it('an upload fails with the answer of the service when it refuses an upload, and begins again when resumed', async () => {
    const begin = 'POST /v1/files/init-upload'
    test.service.on(begin, () => status(413, 'The file is larger than the plan allows'))
    const upload = await add(aFileOf('film.mov'))
    expect(upload.state.value).to.have.nested.property('problem.status', 413)
    test.service.on(begin, () => status(403, 'Plan free has no uploads'))
    upload.resume()
    await test.settle()
    expect(upload.state.value).to.have.nested.property('problem.status', 403)
  })

  it('ends an upload in the storage and removes it from the list when it is discarded', async () => {
    const upload = await add(aFileOf('film.mov'))
    await upload.discard()
    expect(test.uploads.list.value).to.deep.equal([])
    expect(test.service.requests).to.include('POST /v1/files/f1/abort-upload')
    expect(test.removed).to.deep.equal([upload.id])
    expect(test.parts[0]?.isAborted()).to.equal(true)
  })

  it('keeps the stored file when an upload that has ended is discarded', async () => {
    const upload = await add(aFileOf('film.mov'))
    await storeAll()
    await upload.discard()
    expect(test.service.requests.filter((one) => one.includes('abort'))).to.deep.equal([])
    expect(test.uploads.list.value).to.deep.equal([])
  })

  it('begins a second session of an upload as privately as the first', async () => {
    const upload = await add(aFileOf('film.mov', 2), true)
    upload.pause()
    await test.settle()
    test.service.on('GET /v1/files/f1', () => aFile({ file_id: 'f1', status: 'FAILED' }))
    upload.resume()
    await test.settle()
    const sessions = test.service.bodies.filter((one) => one !== null)
    expect(sessions).to.have.length(2)
    for (const session of sessions) expect(session).to.include({ is_private: true })
  })

  it('stops all uploads when it is closed, and begins none after that', async () => {
    const upload = await add(aFileOf('film.mov'))
    test.uploads.close()
    await test.settle()
    expect(test.parts[0]?.isAborted()).to.equal(true)
    upload.resume()
    await add(aFileOf('other.mov'))
    expect(begun()).to.equal(1)
  })
})

describe('uploads that another load of the page has begun', () => {
  const file = aFileOf('film.mov', 4)
  const facts = { sizeBytes: file.size, modifiedMs: file.lastModified }
  const found = {
    id: idOf('account', 'film.mov', facts),
    name: 'film.mov',
    file: facts,
    fileId: 'f9',
    storedBytes: 2 * partBytes,
  }
  let test: TestUploads
  const restored = async (answer: () => unknown) => {
    test = testUploads()
    test.unfinished = [found]
    test.service.on('GET /v1/files/f9', answer)
    await test.uploads.restoreAll()
    return test.uploads.list.value
  }
  afterEach(() => test.uploads.close())

  it('lists an upload of an earlier page as interrupted when its session is open', async () => {
    const [upload] = await restored(() => aFile({ file_id: 'f9', status: 'QUEUED' }))
    expect(upload).to.include({ id: found.id, name: 'film.mov', sizeBytes: 4 * partBytes })
    expect(upload?.state.value.kind).to.equal('interrupted')
    expect(upload?.sentBytes.value).to.equal(2 * partBytes)
  })

  it('resumes an interrupted upload when its file is dropped again', async () => {
    const [upload] = await restored(() => aFile({ file_id: 'f9', status: 'QUEUED' }))
    expect(test.uploads.add(file, false)).to.equal(upload)
    await test.settle()
    expect(upload?.state.value.kind).to.equal('sending')
  })

  it('sends nothing when an interrupted upload is resumed without its file', async () => {
    const [upload] = await restored(() => aFile({ file_id: 'f9', status: 'QUEUED' }))
    upload?.resume()
    await test.settle()
    expect(upload?.state.value.kind).to.equal('interrupted')
  })

  it('ends the session of an interrupted upload in the storage when it is discarded', async () => {
    const [upload] = await restored(() => aFile({ file_id: 'f9', status: 'QUEUED' }))
    await upload?.discard()
    expect(test.service.requests).to.include('POST /v1/files/f9/abort-upload')
    expect(test.removed).to.deep.equal([found.id])
  })

  for (const status_ of ['UPLOADED', 'STORED', 'FAILED'] as const) {
    it(`forgets an upload whose file is ${status_} by now`, async () => {
      expect(await restored(() => aFile({ file_id: 'f9', status: status_ }))).to.deep.equal([])
      expect(test.removed).to.deep.equal([found.id])
    })
  }

  it('forgets an interrupted upload after 404, and keeps it when the service fails', async () => {
    expect(await restored(() => status(404, 'no such file'))).to.deep.equal([])
    expect(test.removed).to.deep.equal([found.id])
    test.uploads.close()
    expect(await restored(() => status(500, 'Internal error'))).to.deep.equal([])
    expect(test.removed).to.deep.equal([])
  })
})
