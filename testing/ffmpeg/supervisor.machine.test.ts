import { expect } from 'chai'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { exitFailure } from '../../runner-image/failure/exit-failure.ts'
import type { Exited } from '../../runner-image/link/messages.ts'
import { until } from '../support/until.ts'
import { startContainer } from './runner/container.ts'
import type { Container } from './runner/container.ts'
import { createControlGroup } from './runner/control-group.ts'
import { connectSupervisor } from './runner/supervisor-client.ts'
import { startSupervised } from './runner/test-runner.ts'
import { useRunnerParts } from './runner/use-runner.ts'

describe('the supervisor, with the FFmpeg and the sandbox of the image', () => {
  const parts = useRunnerParts()

  const clip = ['-f', 'lavfi', '-i', 'testsrc2=d=5', '-f', 'lavfi', '-i', 'sine=d=5']
  const endless = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-f', 'null', '-']

  it('makes a file, reports its progress, and exits when it is dismissed', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    const ready = await client.next('ready')
    expect(ready.ffmpegVersion).to.match(/^7\.1\./)
    expect(ready.sandbox).to.deep.equal({
      mode: 'required',
      usable: true,
      landlock: true,
      seccomp: true,
      problem: null,
    })
    const exited = await supervised.run([...clip, '-c:v', 'libx264', 'out.mp4'])
    expect(exited).to.include({ code: 0, signal: null, reason: null, oom: false, tail: '' })
    expect(exited.progressed).to.equal(true)
    const last = client.received.findLast(({ type }) => type === 'progress')
    expect(last).to.include({ step: 0, frame: 125, stalled: false })
    expect((await stat(path.join(container.job, 'work/out.mp4'))).size).to.be.greaterThan(10_000)
    client.send({ type: 'bye' })
    expect(await container.ended).to.deep.equal({ code: 0, signal: null, log: '' })
  })

  it('kills a command that ignores TERM after its cap', async () => {
    await using supervised = await startSupervised(parts)
    const holds = ['-f', 'lavfi', '-i', 'testsrc2=d=1:s=64x64', '-vf', 'tpad=stop=-1']
    const exited = await supervised.run([...holds, '-f', 'null', '-'], { seconds: 1 })
    expect(exited.reason).to.equal('timeout')
    expect(exited.signal).to.equal('SIGKILL')
    expect(verdict(exited)).to.equal('COMMAND_TIMEOUT')
  })

  it('ends a command at once when it is cancelled, and then serves on', async () => {
    await using supervised = await startSupervised(parts)
    const { client } = supervised
    const id = supervised.begin(endless)
    await client.next('progress', id)
    client.send({ type: 'kill', id: null, reason: 'cancelled' })
    const exited = await client.next('exited', id)
    expect(exited).to.include({ reason: 'cancelled', signal: 'SIGKILL' })
    expect(await supervised.run(['-version'])).to.include({ code: 0, reason: null })
  })

  it('runs two commands side by side and separates their reports', async () => {
    await using supervised = await startSupervised(parts)
    const { client } = supervised
    const first = supervised.begin(endless)
    await client.next('progress', first)
    expect(await supervised.run([...clip, '-c:a', 'aac', 'a.m4a'])).to.include({ code: 0 })
    client.send({ type: 'kill', id: first, reason: 'interrupted' })
    expect(await client.next('exited', first)).to.include({ reason: 'interrupted' })
  })

  it('starts ffprobe beside FFmpeg, and ends it with a command that fails', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    const id = supervised.begin(endless, {}, ['out.mp4'])
    await until(async () => (await ffprobesOf(container)).length === 2, 'both ffprobes to wait')
    client.send({ type: 'kill', id, reason: 'cancelled' })
    await client.next('exited', id)
    await until(async () => (await ffprobesOf(container)).length === 0, 'all probes to end')
  })

  it('ends ffprobes that a probe did not need', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    expect(await supervised.run([...clip, 'out.mp4'], {}, ['absent.mkv'])).to.include({ code: 0 })
    await until(async () => (await ffprobesOf(container)).length === 3, 'three ffprobes to wait')
    client.send({ type: 'probe', id: 'p', path: 'absent.mkv', depth: 'record' })
    expect((await client.next('probed', 'p')).streams).to.equal(null)
    await until(async () => (await ffprobesOf(container)).length === 0, 'all probes to end')
  })

  it('starts another ffprobe when a waiting one was killed', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    const slow = ['-re', '-f', 'lavfi', '-i', 'testsrc2=d=1:s=64x64', 'out.mp4']
    const id = supervised.begin(slow, {}, ['out.mp4'])
    await until(async () => (await ffprobesOf(container)).length === 2, 'both ffprobes to wait')
    for (const pid of await ffprobesOf(container)) process.kill(pid, 'SIGKILL')
    expect(await client.next('exited', id)).to.include({ code: 0, oom: false })
    client.send({ type: 'probe', id: 'p', path: 'out.mp4', depth: 'record' })
    const { facts } = await client.next('probed', 'p')
    expect(facts).to.include({ width: 64, frame_rate: 25, is_varying_frame_rate: false })
  })

  it('answers for a command that cannot even be started', async () => {
    await using supervised = await startSupervised(parts)
    // one argument is longer than the kernel takes
    const exited = await supervised.run(['-metadata', `title=${'x'.repeat(200_000)}`])
    expect(exited).to.include({ reason: 'not_started', code: null, signal: null })
    expect(exited.tail).to.match(/E2BIG/)
  })

  it('serves one connection and turns a second one away', async () => {
    await using supervised = await startSupervised(parts)
    const second = await connectSupervisor(supervised.container.link)
    const refused = await second.next('ready').then(
      () => 'served',
      (error: unknown) => String(error),
    )
    expect(refused).to.contain('closed the link')
    expect((await supervised.run(['-version'])).code).to.equal(0)
  })

  it('carries out what comes before its sandbox is proven, in its order', async () => {
    const container = await startContainer({ root: parts.root, app: parts.app })
    try {
      const client = await connectSupervisor(container.link)
      const limits = { seconds: 60, fileBytes: null, scratchBytes: 1024 ** 3, fileCount: 100 }
      client.send({
        type: 'run',
        id: 'early',
        step: 0,
        argv: endless,
        limits,
        outputs: [],
        log: null,
      })
      client.send({ type: 'kill', id: 'early', reason: 'cancelled' })
      expect(client.received).to.deep.equal([])
      expect(await client.next('exited', 'early')).to.include({ reason: 'cancelled' })
      expect(client.received[0]?.type).to.equal('ready')
      client.close()
    } finally {
      await container.remove()
    }
  })

  it('the supervisor does not outlive the link: FFmpeg is gone and the exit is not 0', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    await client.next('progress', supervised.begin(endless))
    client.close()
    const { code, log } = await container.ended
    expect({ code, log }).to.deep.equal({ code: 44, log: 'the link was closed\n' })
  })

  it('takes nonsense on the link for the death of the other side', async () => {
    await using supervised = await startSupervised(parts)
    const { container } = supervised
    supervised.begin([], { seconds: Number.NaN })
    const { code, log } = await container.ended
    expect({ code, log }).to.deep.equal({
      code: 44,
      log: "message.limits: 'seconds' is not a number\n",
    })
  })

  it('the supervisor ends on SIGTERM also before anybody has connected', async () => {
    const container = await startContainer({ root: parts.root, app: parts.app })
    try {
      const socket = path.join(container.link, 'ffmpeg.sock')
      await until(() => stat(socket), 'the supervisor to listen')
      await container.kill('SIGTERM')
      expect((await container.ended).code).to.equal(143)
    } finally {
      await container.remove()
    }
  })

  it('the supervisor ends with everything it started on SIGTERM', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    const id = supervised.begin(endless)
    await client.next('progress', id)
    await container.kill('SIGTERM')
    expect(await client.next('exited', id)).to.include({ reason: 'interrupted' })
    expect((await container.ended).code).to.equal(143)
  })

  it('the supervisor stays small while FFmpeg floods its log, and keeps the end of it', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    const source = 'color=s=16x16:r=1000:d=40'
    // Lines without a level are kept for the end.
    const flood = ['-loglevel', '-level+info', '-f', 'lavfi', '-i', source, '-vf', 'showinfo']
    const exited = await supervised.run([...flood, '-f', 'null', '-'])
    expect(exited.code).to.equal(0)
    const logged = client.received.filter((message) => message.type === 'stderr')
    const dropped = logged.reduce((sum, message) => sum + message.dropped, 0)
    const kept = logged.reduce((sum, message) => sum + message.lines.length, 0)
    expect(dropped + kept).to.be.greaterThan(80_000)
    expect(exited.tail).to.match(/\n.*n:39999 .*/)
    const status = await readFile(`/proc/${String(await container.processId())}/status`, 'utf8')
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1])).to.be.lessThan(150_000)
  })

  describe('limits', () => {
    const growing = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720', '-f', 'rawvideo']

    it('stops a file at the exact byte', async () => {
      await using supervised = await startSupervised(parts)
      const exited = await supervised.run([...growing, 'out.raw'], { fileBytes: 5_000_000 })
      expect(verdict(exited)).to.equal('OUTPUT_TOO_LARGE')
      const { size } = await stat(path.join(supervised.container.job, 'work/out.raw'))
      expect(size).to.equal(5_000_000)
    })

    it('watches all files together', async () => {
      await using supervised = await startSupervised(parts)
      const exited = await supervised.run([...growing, 'out.raw'], { scratchBytes: 20_000_000 })
      expect(exited).to.include({ reason: 'scratch_bytes', signal: 'SIGKILL' })
    })

    it('watches the number of files', async () => {
      await using supervised = await startSupervised(parts)
      const flood = ['-f', 'lavfi', '-i', 'color=s=16x16', '-f', 'image2', 'frame-%d.png']
      const exited = await supervised.run(flood, { fileCount: 200 })
      expect(exited.reason).to.equal('file_count')
      expect(verdict(exited)).to.equal('OUTPUT_TOO_LARGE')
    })

    it('recognizes a kill for memory', async () => {
      const group = await createControlGroup('memory', 300_000_000)
      try {
        await using supervised = await startSupervised(parts, { group })
        const hungry = ['-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:d=60', '-vf', 'reverse']
        const exited = await supervised.run([...hungry, '-f', 'null', '-'])
        expect(exited).to.include({ signal: 'SIGKILL', reason: null, oom: true })
        expect(verdict(exited)).to.equal('OUT_OF_MEMORY')
      } finally {
        await group.remove()
      }
    })
  })
})

/** The processes of ffprobe, on this machine. */
async function ffprobesOf(container: Container): Promise<number[]> {
  const pid = String(await container.processId())
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const named = await Promise.all(
    children.split(' ').map(async (child) => {
      const name = await readFile(`/proc/${child}/comm`, 'utf8').catch(() => '')
      return name === 'ffprobe\n' ? [Number(child)] : []
    }),
  )
  return named.flat()
}

function verdict(exited: Exited): string | null {
  const limits = { capSeconds: 1, fileBytes: 1, scratchBytes: 1, fileCount: 1, memoryBytes: 1 }
  const capacity = { ...limits, inputs: [] }
  return exitFailure(exited, capacity)?.status ?? null
}
