import { expect } from 'chai'
import { mkdir } from 'node:fs/promises'
import net from 'node:net'
import { systemClock } from '../../../common/runtime/system-effects.ts'
import { AttemptEnded, FfmpegContainerLost } from '../runtime/attempt-ended.ts'
import { connectSupervisor } from './supervisor-link.ts'
import type { Supervisor } from './supervisor-link.ts'
import { startSupervisor } from '../../../testing/runner/scripted-supervisor.ts'
import { closed, listen } from '../../../testing/runner/servers.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

const never = new AbortController().signal
const nothing = { onProgress: () => undefined, onStderr: () => undefined }
const run = {
  step: 0,
  argv: ['-i', 'a'],
  limits: { seconds: 1, fileBytes: null, scratchBytes: 1, fileCount: 1 },
  outputs: [],
  log: null,
}

describe('the link to the supervisor', () => {
  const at = useScratch()
  let path: string
  let lost: Error[]
  const cleanups: (() => Promise<void>)[] = []
  beforeEach(async () => {
    path = at('s')
    lost = []
  })
  afterEach(async () => {
    for (const clean of cleanups.splice(0)) await clean()
  })

  it('the link waits for a container that starts later', async () => {
    const connecting = connect()
    await serve({ run: async () => ({}) })
    expect((await (await connecting).ready()).ffmpegVersion).to.equal('7.1.5')
  })

  it('connects to a container that starts later without polling', async () => {
    const stopped = { ...systemClock, schedule: () => () => undefined }
    const connecting = connectSupervisor(path, stopped, never, (error) => lost.push(error))
    await serve({ run: async () => ({}) })
    expect((await (await connecting).ready()).ffmpegVersion).to.equal('7.1.5')
  })

  it('finds a container that starts later when changes are not reported', async () => {
    const connecting = connectSupervisor(at('later', 's'), systemClock, never, (error) =>
      lost.push(error),
    )
    await mkdir(at('later'))
    path = at('later', 's')
    await serve({ run: async () => ({}) })
    expect((await (await connecting).ready()).ffmpegVersion).to.equal('7.1.5')
  })

  it('matches concurrent answers to their requests', async () => {
    await serve({
      run: async ({ step }) => ({ code: step }),
      probe: ({ path: probed }) => ({ streams: probed === 'b' ? 2 : 1 }),
    })
    const supervisor = await connect()
    const [one, two, other] = await Promise.all([
      supervisor.probe('a', 'record'),
      supervisor.probe('b', 'record'),
      supervisor.run({ ...run, step: 3 }, nothing, never),
    ])
    supervisor.drop()
    expect([one.streams, two.streams, other.code]).to.deep.equal([1, 2, 3])
  })

  it('rejects all waiting requests when the other container dies', async () => {
    await serve({ run: async () => 'drop' })
    const supervisor = await connect()
    expect(await errorOf(supervisor.run(run, nothing, never))).to.be.instanceOf(FfmpegContainerLost)
    expect(await errorOf(supervisor.probe('a', 'record'))).to.be.instanceOf(FfmpegContainerLost)
    expect(lost.length).to.equal(1)
  })

  it('the link does not count its own leaving as a loss', async () => {
    const served = await serve({ run: async () => ({}) })
    const supervisor = await connect()
    await supervisor.ready()
    await supervisor.bye()
    await served.dismissed
    expect(lost).to.deep.equal([])
  })

  const nonsense: [string, string][] = [
    ['a line that is not a message', 'hello\n'],
    ['a message of no known kind', '{"type":"shell"}\n'],
    ['a line without an end', 'x'.repeat(70_000)],
  ]
  for (const [what, bytes] of nonsense) {
    it(`gives a container up that says ${what}`, async () => {
      await speak(bytes)
      const supervisor = await connect()
      expect(await errorOf(supervisor.ready())).to.be.instanceOf(FfmpegContainerLost)
    })
  }

  it('ends the attempt when the node has no sandbox', async () => {
    const sandbox = {
      mode: 'required',
      usable: false,
      landlock: false,
      seccomp: true,
      problem: 'x',
    }
    await speak(`${JSON.stringify({ type: 'ready', ffmpegVersion: '7', sandbox, cpus: 1 })}\n`)
    const supervisor = await connect()
    const error = await errorOf(supervisor.ready())
    expect(error instanceof AttemptEnded && error.exitCode).to.equal(43)
  })

  function connect(): Promise<Supervisor> {
    return connectSupervisor(path, systemClock, never, (error) => lost.push(error))
  }

  async function serve(script: Parameters<typeof startSupervisor>[1]) {
    const served = await startSupervisor(path, script)
    cleanups.push(() => served.close())
    return served
  }

  /** Says something and leaves. */
  async function speak(bytes: string): Promise<void> {
    const server = net.createServer((socket) => socket.on('error', () => undefined).end(bytes))
    await listen(server, path)
    cleanups.push(() => closed(server))
  }

  async function errorOf(work: Promise<unknown>): Promise<unknown> {
    return work.then(
      () => null,
      (error: unknown) => error,
    )
  }
})
