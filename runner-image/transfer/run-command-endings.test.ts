import { expect } from 'chai'
import { attemptFixture } from '../../testing/runner/attempt-fixture.ts'
import type { TestGateway } from '../../testing/runner/gateway-server.ts'
import { useFixture } from '../../testing/support/scratch.ts'

describe('the end of an attempt', () => {
  const fixture = useFixture(attemptFixture)
  const success = ({ results: [result] }: TestGateway) => {
    if (result?.outcome.status !== 'SUCCESS') throw new Error('it did not succeed')
    const { status, files } = result.outcome
    return { status, files }
  }

  it('kills FFmpeg when the command is cancelled', async () => {
    const { exitCode, gateway, supervisor } = await fixture.attempt(
      { run: async () => 'hang' },
      {},
      { progress: () => ({ cancel: true }) },
    )
    expect(exitCode).to.equal(0)
    expect(supervisor.received.filter(({ type }) => type === 'kill')).to.deep.equal([
      { type: 'kill', id: null, reason: 'cancelled' },
    ])
    expect(gateway.results[0]?.outcome).to.deep.include({ errorStatus: 'CANCELLED' })
  })

  it('stores an object again that differs in storage, and reports once more', async () => {
    const { exitCode, gateway } = await fixture.attempt(
      { run: fixture.makes('out.mp4') },
      {},
      { differing: (count) => (count === 1 ? ['out.mp4'] : []) },
    )
    expect(exitCode).to.equal(0)
    const object = { path: 'out.mp4', sizeBytes: 4, etag: 'etag' }
    expect(gateway.results.map(({ outcome }) => outcome)).to.deep.include.members([
      { ...success(gateway), objects: [object] },
      { ...success(gateway), objects: [object], storedAgain: true },
    ])
    expect(gateway.calls.filter((call) => call === 'PUT /single/out.mp4')).to.have.length(2)
  })

  it('reports STORAGE_ERROR when an object that differs cannot be stored again', async () => {
    const { gateway } = await fixture.attempt(
      { run: fixture.makes('out.mp4') },
      {},
      {
        differing: (count) => (count === 1 ? ['out.mp4'] : []),
        intercept({ method, count }, response) {
          if (method !== 'PUT' || count === 1) return false
          response.writeHead(404).end()
          return true
        },
      },
    )
    expect(gateway.results.at(-1)?.outcome).to.deep.equal({
      status: 'FAILED',
      errorStatus: 'STORAGE_ERROR',
      errorMessage: 'out_1 could not be stored: storage answered 404',
    })
  })

  it('an attempt has no verdict when the other container is notified first that the pod ends', async () => {
    const { exitCode, gateway } = await fixture.attempt({
      run: async () => ({ signal: 'SIGKILL', reason: 'interrupted' }),
    })
    expect(exitCode).to.equal(31)
    expect(gateway.results).to.deep.equal([])
  })

  it('an attempt has no verdict when what FFmpeg wrote could not be measured', async () => {
    const { exitCode, gateway } = await fixture.attempt({
      run: async () => ({ code: 0, reason: 'unmeasured' }),
    })
    expect(exitCode).to.equal(42)
    expect(gateway.results).to.deep.equal([])
  })

  it('fails a command that ended well, but with more files than it may', async () => {
    const { gateway } = await fixture.attempt({
      run: async () => ({ code: 0, reason: 'file_count' }),
    })
    expect(gateway.results[0]?.outcome).to.deep.include({ errorStatus: 'OUTPUT_TOO_LARGE' })
  })

  it('names the output and the seek when an encoder failed for lack of frames', async () => {
    const tail =
      '[vf#0:0 @ 0x1] No filtered frames for output stream, trying to initialize anyway.\n[libwebp encoder @ 0x1] WebPAnimEncoderAssemble() failed with error: 1'
    const probed = Promise.withResolvers<void>()
    const { gateway } = await fixture.attempt(
      {
        run: async () => {
          await probed.promise
          return { code: 244, tail }
        },
        probe: () => {
          probed.resolve()
          return { streams: 1, duration: 2 }
        },
      },
      { commands: ['-ss 999 -i {{in_1}} {{out_1}}'], outputs: { out_1: 'a.webp' } },
    )
    expect(gateway.results[0]?.outcome).to.deep.include({
      errorStatus: 'MISSING_OUTPUT_FILE',
      errorMessage:
        'out_1 (a.webp) was not written or is empty: -ss 999 lies past the end of in_1 (2 s)',
    })
  })

  const unfit: [string, string, string][] = [
    ['/empty.mp4', 'Error opening input: End of file', 'in_1 is empty (0 bytes)'],
    ['/page.mp4', 'moov atom not found', 'in_1 is a web page (HTML), not media'],
  ]
  for (const [path, reason, message] of unfit) {
    it(`says of an input that ${message.slice(5)}`, async () => {
      const tail = `${reason}\nError opening input file ../in/in_1.mp4.\nError opening input files: ${reason}`
      const { gateway } = await fixture.attempt(
        { run: async () => ({ code: 183, tail }) },
        // Pages are refused already where they come from elsewhere than our storage.
        {
          inputs: [
            { alias: 'in_1', url: fixture.originUrl + path, stored: fixture.originUrl + path },
          ],
        },
      )
      expect(gateway.results[0]?.outcome).to.deep.include({
        errorStatus: 'INVALID_INPUT_FILE',
        errorMessage: message,
      })
    })
  }

  it('names the input that has no sound', async () => {
    const tail =
      "Stream map '' matches no streams.\nTo ignore this, add a trailing '?' to the map.\nFailed to set value '0:a' for option 'map': Invalid argument"
    const { gateway } = await fixture.attempt(
      { run: async () => ({ code: 1, tail }) },
      { commands: ['-i {{in_1}} -map 0:a {{out_1}}'] },
    )
    expect(gateway.results[0]?.outcome).to.deep.include({
      errorStatus: 'INVALID_COMMAND',
      errorMessage: 'in_1 has no sound: -map 0:a takes nothing; -map 0:a? goes on without',
    })
  })

  it('requests the verdict from the gateway when the link to the ffmpeg container drops', async () => {
    const { exitCode, gateway } = await fixture.attempt({ run: async () => 'drop' })
    expect(exitCode).to.equal(29)
    expect(gateway.results).to.deep.equal([])
  })

  it('the attempt leaves quietly when another attempt holds the command', async () => {
    const { exitCode } = await fixture.attempt(
      { run: fixture.makes('out.mp4') },
      {},
      {
        intercept: ({ path }, response) => {
          if (path !== '/v1/result') return false
          response.writeHead(409, { 'content-type': 'application/json' })
          response.end('{"kind":"superseded"}')
          return true
        },
      },
    )
    expect(exitCode).to.equal(30)
  })

  it('an attempt has done its work when the command is already final', async () => {
    const { exitCode, supervisor } = await fixture.attempt(
      { run: fixture.makes('out.mp4') },
      {},
      {
        intercept: ({ path }, response) => {
          if (path !== '/v1/uploads') return false
          response.writeHead(410, { 'content-type': 'application/json' })
          response.end('{"status":"FAILED","errorStatus":"COMMAND_TIMEOUT"}')
          return true
        },
      },
    )
    expect(exitCode).to.equal(0)
    await supervisor.dismissed
  })

  it('reports again when the gateway answers 503', async () => {
    const { exitCode, gateway } = await fixture.attempt(
      { run: fixture.makes('out.mp4') },
      {},
      {
        intercept: ({ path, count }, response) => {
          if (path !== '/v1/result' || count > 1) return false
          response.writeHead(503, { 'retry-after': '0' }).end()
          return true
        },
      },
    )
    expect([exitCode, gateway.results.length]).to.deep.equal([0, 1])
  })

  it('transfer exits 31 at SIGTERM and stores nothing', async () => {
    const interrupted = new AbortController()
    const { exitCode, gateway } = await fixture.attempt(
      {
        run: async () => {
          interrupted.abort()
          return 'hang'
        },
      },
      {},
      {},
      interrupted.signal,
    )
    expect([exitCode, gateway.results, gateway.objects.size]).to.deep.equal([31, [], 0])
  })

  it('keeps the result as a termination message', async () => {
    const { terminationMessage } = await fixture.attempt({ run: fixture.makes('out.mp4') })
    expect(JSON.parse(terminationMessage)).to.deep.include({ logs: [] })
  })
})
