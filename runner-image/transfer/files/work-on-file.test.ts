import { expect } from 'chai'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Assignment, Result } from '../../../common/gateway/messages.ts'
import { attemptFixture } from '../../../testing/runner/attempt-fixture.ts'
import { startHttp } from '../../../testing/runner/servers.ts'
import type { TestServer } from '../../../testing/runner/servers.ts'
import { useFixture } from '../../../testing/support/scratch.ts'

const noRun = { run: async () => 'hang' as const }

describe('one attempt at a stored file', () => {
  const fixture = useFixture(attemptFixture)
  let origin: TestServer
  beforeEach(async () => {
    origin = await startHttp((request, response) => {
      const path = new URL(request.url ?? '', 'http://origin').pathname
      const body = bodies[path]
      if (body === undefined) return void response.writeHead(404).end()
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
      if (first === undefined) return void response.end(body)
      const [from, to] = [Number(first), Number(last)]
      response.writeHead(206, { 'content-range': `bytes ${first}-${last}/${body.length}` })
      response.end(body.subarray(from, to + 1))
    })
  })
  afterEach(async () => {
    await origin.close()
  })

  const store = (path: string, changes: Partial<Assignment> = {}): Partial<Assignment> => ({
    ...noCommand,
    file: {
      kind: 'store',
      source: { alias: 'file', url: `${origin.url}${path}`, stored: null },
    },
    ...changes,
  })

  it('fetches, probes, stores and reports one record', async () => {
    const { exitCode, gateway, supervisor } = await fixture.attempt(
      { ...noRun, probe: ({ path }) => ({ streams: 1, duration: path.endsWith('.mov') ? 4 : 0 }) },
      store('/My%20clip%20%C3%A9.MOV?token=secret'),
    )
    expect(exitCode).to.equal(0)
    expect([...gateway.objects.keys()]).to.deep.equal(['My_clip__.MOV'])
    expect(gateway.objects.get('My_clip__.MOV')).to.deep.equal(bodies['/My%20clip%20%C3%A9.MOV'])
    const [file] = filesOf(gateway.results)
    expect(file).to.deep.include({ path: 'My_clip__.MOV', sizeBytes: 70_000 })
    expect(file?.media.duration).to.equal(4)
    expect(gateway.results[0]?.usage.inputBytes).to.equal(0)
    expect(gateway.results[0]?.steps).to.deep.equal([])
    await supervisor.dismissed
  })

  it('stores an empty file', async () => {
    const { exitCode, gateway } = await fixture.attempt(noRun, store('/empty.mp4'))
    expect(exitCode).to.equal(0)
    expect(filesOf(gateway.results)[0]).to.deep.include({ path: 'empty.mp4', sizeBytes: 0 })
    expect(gateway.objects.get('empty.mp4')?.length).to.equal(0)
  })

  it('reports why the file could not be fetched, without an alias and without the query', async () => {
    const { exitCode, gateway } = await fixture.attempt(noRun, store('/gone.mp4?token=secret'))
    expect(exitCode).to.equal(0)
    expect(gateway.results[0]?.outcome).to.deep.equal({
      status: 'FAILED',
      errorStatus: 'UNREACHABLE_INPUT_FILE',
      errorMessage: `${origin.url}/gone.mp4 answered 404 Not Found`,
    })
  })

  it('refuses a web page under the name of a video', async () => {
    const page = await fixture.attempt(noRun, store('/page.mp4'))
    expect(page.gateway.results[0]?.outcome).to.deep.include({
      errorStatus: 'UNREACHABLE_INPUT_FILE',
      errorMessage: `${origin.url}/page.mp4 answered a web page`,
    })
  })

  it('stores a web page under its own name', async () => {
    const html = await fixture.attempt(noRun, store('/page.html'))
    expect(filesOf(html.gateway.results)[0]?.path).to.equal('page.html')
  })

  it('refuses what the plan does not allow', async () => {
    const limits = { ...defaultLimits, fileBytes: 50_000 }
    const { gateway } = await fixture.attempt(noRun, store('/large.mp4', { limits }))
    expect(gateway.results[0]?.outcome).to.deep.include({ errorStatus: 'INPUT_TOO_LARGE' })
  })

  it('a file is stored even when the ffmpeg container dies', async () => {
    const { exitCode, gateway } = await fixture.attempt(
      { ...noRun, probe: () => 'drop' },
      store('/large.mp4'),
    )
    expect(exitCode).to.equal(0)
    const [file] = filesOf(gateway.results)
    expect(file?.media).to.deep.include({ duration: null, file_type: 'other' })
    expect(gateway.objects.get('large.mp4')?.length).to.equal(70_000)
  })

  it('the work on a file stops when it is cancelled', async () => {
    const { exitCode, gateway } = await fixture.attempt(
      { ...noRun, probe: () => 'silent' },
      store('/large.mp4'),
      { progress: () => ({ cancel: true }) },
    )
    expect(exitCode).to.equal(0)
    expect(gateway.results[0]?.outcome).to.deep.include({ errorStatus: 'CANCELLED' })
  })

  const analyse = (fullFetchBytes: number): Partial<Assignment> => ({
    ...noCommand,
    file: {
      kind: 'analyse',
      name: 'Holiday.MP4',
      url: `${origin.url}/large.mp4?signature=1`,
      sizeBytes: 70_000,
      fullFetchBytes,
    },
  })

  it('probes an upload as a whole and stores nothing', async () => {
    const { exitCode, gateway, supervisor } = await fixture.attempt(
      { ...noRun, probe: () => ({ streams: 1, duration: 3 }) },
      analyse(70_000),
    )
    expect(exitCode).to.equal(0)
    expect(filesOf(gateway.results)[0]?.media.duration).to.equal(3)
    expect([...gateway.objects.keys()]).to.deep.equal([])
    const [probe] = supervisor.received
    expect(probe).to.deep.include({ type: 'probe', path: '../in/file.mp4', depth: 'record' })
  })

  it('probes the ends of a large upload, in a file of its size', async () => {
    const { exitCode, supervisor } = await fixture.attempt(
      { ...noRun, probe: () => ({ streams: 1, duration: 3 }) },
      analyse(69_999),
    )
    expect(exitCode).to.equal(0)
    const [probe] = supervisor.received
    expect(probe).to.deep.include({ type: 'probe', path: '../in/file.mp4', depth: 'ends' })
    expect((await stat(join(fixture.root, 'in/file.mp4'))).size).to.equal(70_000)
  })
})

const bodies: Readonly<Record<string, Buffer>> = {
  '/My%20clip%20%C3%A9.MOV': Buffer.alloc(70_000, 3),
  '/large.mp4': Buffer.alloc(70_000, 7),
  '/empty.mp4': Buffer.alloc(0),
  '/page.mp4': Buffer.from('<!doctype html><html>'),
  '/page.html': Buffer.from('<!doctype html><html>'),
}

const noCommand = { commands: [], inputs: [], outputs: {} }

const defaultLimits: Assignment['limits'] = {
  fileBytes: null,
  scratchBytes: 1024 ** 3,
  fileCount: 100,
  maxPixels: 67_108_864,
  transferSeconds: 600,
}

function filesOf([result]: readonly Result[]) {
  return result?.outcome.status === 'SUCCESS' ? result.outcome.files : []
}
