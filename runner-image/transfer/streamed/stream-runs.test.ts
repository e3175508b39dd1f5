import { expect } from 'chai'
import { lstat, open, readFile, readdir, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type http from 'node:http'
import { join } from 'node:path'
import type { Exited, Run } from '../../link/messages.ts'
import { attemptFixture } from '../../../testing/runner/attempt-fixture.ts'
import type { AttemptFixture, FinishedAttempt } from '../../../testing/runner/attempt-fixture.ts'
import { startHttp } from '../../../testing/runner/servers.ts'
import type { TestServer } from '../../../testing/runner/servers.ts'
import { useFixture } from '../../../testing/support/scratch.ts'

/** Inputs without a declared length. */
const first = flash(1, 400_000)
const second = Buffer.alloc(400_000, 2)
const file = Buffer.concat([first, second])

describe('a command that runs while its input arrives', () => {
  const fixture = useFixture(attemptFixture)
  const servers: TestServer[] = []
  let requests: http.IncomingMessage[] = []
  let hasRun = Promise.withResolvers<void>()
  beforeEach(async () => {
    hasRun = Promise.withResolvers()
    requests = []
  })
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })

  it('reads the beginning before the end has been sent', async () => {
    const read = Promise.withResolvers<void>()
    const finished = await attempt(
      async (response) => {
        response.write(first)
        await read.promise
        response.end(second)
      },
      async () => {
        const input = await open(inputPath())
        const start = await bytes(input, first.length)
        read.resolve()
        const rest = await bytes(input, second.length + 1)
        await input.close()
        return Buffer.concat([start, rest]).equals(file) ? made() : { code: 1 }
      },
    )
    expect(finished.exitCode).to.equal(0)
    expect(finished.gateway.results[0]?.usage.inputBytes).to.equal(file.length)
  })

  it('gives up the rest of an input that FFmpeg closes early', async () => {
    const { exitCode } = await attempt(
      (response) => response.write(first),
      async () => {
        const input = await open(inputPath())
        await bytes(input, 1000)
        await input.close()
        return made()
      },
    )
    expect(exitCode).to.equal(0)
  })

  it('a command is killed when the download of its input fails, and the result names the download', async () => {
    const read = Promise.withResolvers<void>()
    const { exitCode, gateway, supervisor } = await attempt(
      async (response) => {
        if (requests.length > 1) return response.writeHead(403).end()
        response.write(first)
        await read.promise
        return response.destroy()
      },
      async () => {
        const input = await open(inputPath())
        await bytes(input, first.length)
        await input.close()
        read.resolve()
        return 'hang'
      },
    )
    expect(exitCode).to.equal(0)
    expect(gateway.results[0]?.outcome).to.deep.include({ errorStatus: 'UNREACHABLE_INPUT_FILE' })
    expect(supervisor.received.filter(({ type }) => type === 'kill')).to.deep.equal([
      { type: 'kill', id: null, reason: 'input_incomplete' },
    ])
  })

  it('a streamed command runs once more from the whole file when it fails, with nothing left of the first run', async () => {
    const kinds: string[] = []
    const finished = await attempt(sendsTheRestLater, async () => {
      const isPipe = (await lstat(inputPath())).isFIFO()
      kinds.push(isPipe ? 'pipe' : 'file')
      if (isPipe) {
        await writeFile(join(fixture.root, 'work/left-over.mp4'), 'x')
        return ended({ code: 183, tail: 'Illegal seek' })
      }
      expect(await readdir(join(fixture.root, 'work'))).to.deep.equal([])
      return (await readFile(inputPath())).equals(file) ? made() : { code: 1 }
    })
    expect([finished.exitCode, kinds]).to.deep.equal([0, ['pipe', 'file']])
    const logs = [...finished.gateway.reports, ...finished.gateway.results].flatMap((r) => r.logs)
    expect(logs.map(({ text }) => text).join('')).to.contain('runs once more, from the whole file')
  })

  it('a streamed command fails with the words of the run from the whole file', async () => {
    let runs = 0
    const { gateway } = await attempt(sendsTheRestLater, async () =>
      ended({ code: 187, tail: `[error] reason ${String(++runs)}` }),
    )
    expect(JSON.stringify(gateway.results[0]?.outcome)).to.contain('reason 2')
  })

  it('a streamed command runs again from the new version when the source changed', async () => {
    const changed = flash(3, 20_000)
    const read = Promise.withResolvers<void>()
    const finished = await attempt(
      async (response) => {
        if (requests.length > 1) {
          return response
            .writeHead(200, { etag: '"v2"', 'content-length': changed.length })
            .end(changed)
        }
        response.writeHead(200, { etag: '"v1"', 'content-length': 100_000_000 })
        response.write(first)
        await read.promise
        return response.destroy()
      },
      async () => {
        if (!(await lstat(inputPath())).isFIFO()) {
          return (await readFile(inputPath())).equals(changed) ? made() : { code: 1 }
        }
        const input = await open(inputPath())
        await bytes(input, first.length)
        read.resolve()
        // Were the pipe closed before the kill, FFmpeg would take this for the end of its input.
        const more = await bytes(input, 1)
        await input.close()
        return more.length === 0 ? made() : 'hang'
      },
    )
    expect(finished.exitCode).to.equal(0)
    expect(finished.supervisor.received.filter(({ type }) => type === 'run').length).to.equal(2)
  })

  const verdicts: [string, Partial<Exited>][] = [
    ['its time is up', { code: 255, reason: 'timeout' }],
    ['its memory was too small', { signal: 'SIGKILL', oom: true }],
    ['it was refused a thread', { code: 187, threadRefused: true }],
    ['it made too many files', { signal: 'SIGKILL', reason: 'file_count' }],
  ]
  for (const [what, end] of verdicts) {
    it(`the attempt does not repeat a command that streams its input when ${what}`, async () => {
      const { supervisor } = await attempt(sendsTheRestLater, async () => ended(end))
      expect(supervisor.received.filter(({ type }) => type === 'run').length).to.equal(1)
    })
  }

  it('a command waits for the whole file when that is requested', async () => {
    const isPipe: boolean[] = []
    await attempt(
      (response) => response.end(file),
      async () => {
        isPipe.push((await lstat(inputPath())).isFIFO())
        return made()
      },
      { overlap: { inputs: false, outputs: false } },
    )
    expect(isPipe).to.deep.equal([false])
  })

  async function attempt(
    answer: (response: http.ServerResponse) => unknown,
    run: (run: Run) => Promise<Partial<Exited> | 'hang'>,
    changes: Parameters<AttemptFixture['attempt']>[1] = {},
  ): Promise<FinishedAttempt> {
    const server = await startHttp((request, response) => {
      requests.push(request)
      void answer(response)
    })
    servers.push(server)
    const inputs = [{ alias: 'in_1', url: `${server.url}/clip.flv`, stored: null }]
    return fixture.attempt({ run }, { inputs, ...changes })
  }

  /** The second half comes once a run has ended. */
  async function sendsTheRestLater(response: http.ServerResponse): Promise<void> {
    response.write(first)
    await hasRun.promise
    response.end(second)
  }

  function ended(end: Partial<Exited>): Partial<Exited> {
    hasRun.resolve()
    return end
  }

  async function made(): Promise<Partial<Exited>> {
    await writeFile(join(fixture.root, 'work/out.mp4'), 'made')
    return { code: 0 }
  }

  function inputPath(): string {
    return join(fixture.root, 'in/in_1.flv')
  }
})

/** Reads all bytes that there are, up to `count`. */
async function bytes(file: FileHandle, count: number): Promise<Buffer> {
  const buffer = Buffer.alloc(count)
  let filled = 0
  while (filled < count) {
    const { bytesRead } = await file.read(buffer, filled, count - filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

function flash(fill: number, length: number): Buffer {
  return Buffer.concat([Buffer.from('FLV\u0001'), Buffer.alloc(length, fill)])
}
