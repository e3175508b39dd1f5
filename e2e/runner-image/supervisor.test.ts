import { expect } from 'chai'
import { access, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exitFailure } from '../../runner-image/failure/exit-failure.ts'
import type { Exited } from '../../runner-image/link/messages.ts'
import { createMemoryGroup } from './memory-group.ts'
import { runnerParts, startSupervised } from './test-runner.ts'
import type { RunnerParts } from './test-runner.ts'

describe('the supervisor, with the FFmpeg and the sandbox of the image', function () {
  this.timeout(60_000)
  let parts: RunnerParts
  before(async function () {
    // where nothing is cached, this builds the image
    this.timeout(600_000)
    parts = await runnerParts()
  })
  after(() => parts.remove())

  const clip = ['-f', 'lavfi', '-i', 'testsrc2=d=5', '-f', 'lavfi', '-i', 'sine=d=5']
  const endless = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-f', 'null', '-']

  it('makes a file, tells how far it is, and leaves when it is dismissed', async () => {
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

  it('kills a command that ignores TERM 5 s after its cap', async () => {
    await using supervised = await startSupervised(parts)
    await supervised.client.next('ready')
    const holds = ['-f', 'lavfi', '-i', 'testsrc2=d=1:s=64x64', '-vf', 'tpad=stop=-1']
    const exited = await supervised.run([...holds, '-f', 'null', '-'], { seconds: 1 })
    expect(exited.reason).to.equal('timeout')
    expect(exited.signal).to.equal('SIGKILL')
    expect(exited.seconds).to.be.within(5.9, 7)
    expect(verdict(exited)).to.equal('COMMAND_TIMEOUT')
  })

  it('ends a command at once when it is cancelled, and then serves on', async () => {
    await using supervised = await startSupervised(parts)
    const { client } = supervised
    await client.next('ready')
    const id = supervised.begin(endless)
    await client.next('progress', id)
    client.send({ type: 'kill', id: null, reason: 'cancelled' })
    const exited = await client.next('exited', id)
    expect(exited).to.include({ reason: 'cancelled', signal: 'SIGKILL' })
    expect(await supervised.run(['-version'])).to.include({ code: 0, reason: null })
  })

  it('runs two commands side by side and tells them apart', async () => {
    await using supervised = await startSupervised(parts)
    const { client } = supervised
    await client.next('ready')
    const first = supervised.begin(endless)
    await client.next('progress', first)
    expect(await supervised.run([...clip, '-c:a', 'aac', 'a.m4a'])).to.include({ code: 0 })
    client.send({ type: 'kill', id: first, reason: 'interrupted' })
    expect(await client.next('exited', first)).to.include({ reason: 'interrupted' })
  })

  it('does not outlive the link: FFmpeg is gone and the exit is not 0', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    await client.next('ready')
    await client.next('progress', supervised.begin(endless))
    client.close()
    const { code, log } = await container.ended
    expect({ code, log }).to.deep.equal({ code: 44, log: 'the link was closed\n' })
  })

  it('takes nonsense on the link for the death of the other side', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    await client.next('ready')
    supervised.begin([], { seconds: Number.NaN })
    const { code, log } = await container.ended
    expect({ code, log }).to.deep.equal({
      code: 44,
      log: "message.limits: 'seconds' is not a number\n",
    })
  })

  it('ends with everything it started on SIGTERM', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    await client.next('ready')
    const id = supervised.begin(endless)
    await client.next('progress', id)
    await container.kill('SIGTERM')
    expect(await client.next('exited', id)).to.include({ reason: 'interrupted' })
    expect((await container.ended).code).to.equal(143)
  })

  it('stays small while FFmpeg floods its log, and keeps the end of it', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    await client.next('ready')
    const source = 'color=s=16x16:r=1000:d=40'
    const flood = ['-loglevel', 'info', '-f', 'lavfi', '-i', source, '-vf', 'showinfo']
    const exited = await supervised.run([...flood, '-f', 'null', '-'])
    expect(exited.code).to.equal(0)
    const logged = client.received.filter((message) => message.type === 'stderr')
    const dropped = logged.reduce((sum, message) => sum + message.dropped, 0)
    const kept = logged.reduce((sum, message) => sum + message.lines.length, 0)
    expect(dropped + kept).to.be.greaterThan(80_000)
    expect(kept).to.be.lessThan(dropped)
    expect(exited.tail).to.match(/\n.*n:39999 .*/)
    const status = await readFile(`/proc/${String(await container.processId())}/status`, 'utf8')
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1])).to.be.lessThan(150_000)
  })

  describe('limits', () => {
    const growing = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720', '-f', 'rawvideo']

    it('stops a file at the exact byte', async () => {
      await using supervised = await startSupervised(parts)
      await supervised.client.next('ready')
      const exited = await supervised.run([...growing, 'out.raw'], { fileBytes: 5_000_000 })
      expect(verdict(exited)).to.equal('OUTPUT_TOO_LARGE')
      const { size } = await stat(path.join(supervised.container.job, 'work/out.raw'))
      expect(size).to.equal(5_000_000)
    })

    it('watches all files together', async () => {
      await using supervised = await startSupervised(parts)
      await supervised.client.next('ready')
      const exited = await supervised.run([...growing, 'out.raw'], { scratchBytes: 20_000_000 })
      expect(exited.reason).to.equal('scratch_bytes')
      expect(exited.seconds).to.be.lessThan(4)
    })

    it('watches the number of files', async () => {
      await using supervised = await startSupervised(parts)
      await supervised.client.next('ready')
      const flood = ['-f', 'lavfi', '-i', 'color=s=16x16', '-f', 'image2', 'frame-%d.png']
      const exited = await supervised.run(flood, { fileCount: 200 })
      expect(exited.reason).to.equal('file_count')
      expect(verdict(exited)).to.equal('OUTPUT_TOO_LARGE')
    })

    it('knows a kill for memory', async () => {
      const memory = await createMemoryGroup(`runner-test-${String(process.pid)}`, 300_000_000)
      try {
        await using supervised = await startSupervised(parts, { memory })
        const { client } = supervised
        await client.next('ready')
        const hungry = ['-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:d=60', '-vf', 'reverse']
        const exited = await supervised.run([...hungry, '-f', 'null', '-'])
        expect(exited).to.include({ signal: 'SIGKILL', reason: null, oom: true })
        expect(verdict(exited)).to.equal('OUT_OF_MEMORY')
      } finally {
        await memory.remove()
      }
    })
  })

  describe('the sandbox', () => {
    it('refuses what lies outside, and answers with the exit of a denied access', async () => {
      await using supervised = await startSupervised(parts)
      await supervised.client.next('ready')
      const read = ['-f', 'data', '-i', '/app/supervisor.mjs', '-map', '0', '-c', 'copy']
      const exited = await supervised.run([...read, '-f', 'data', 'o.bin'])
      expect(exited.code).to.equal(243)
      expect(verdict(exited)).to.equal('FORBIDDEN_OPERATION')
    })

    it('shows FFmpeg neither the environment nor descriptors nor other privileges', async () => {
      await using supervised = await startSupervised(parts, { env: { LEAK: 'canary' } })
      const { client, container } = supervised
      await client.next('ready')
      const id = supervised.begin(endless)
      await client.next('progress', id)
      const supervisor = String(await container.processId())
      const child = (
        await readFile(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8')
      ).trim()
      const environment = await readFile(`/proc/${child}/environ`, 'utf8')
      expect(environment.split('\0').filter(Boolean).toSorted()).to.deep.equal([
        'HOME=/job/tmp',
        'LANG=C.UTF-8',
        'PATH=/usr/bin',
        'TZ=UTC',
        'XDG_CACHE_HOME=/job/tmp',
      ])
      const inherited = new Set(await openFiles('self'))
      const held = (await openFiles(child)).filter((target) => !inherited.has(target))
      expect(new Set(held.map((target) => target.replace(/\[\d+\]$/, '')))).to.deep.equal(
        new Set([path.join(parts.root, 'dev/null'), 'socket:']),
      )
      // the log and the progress; FFmpeg opens the latter once more
      expect(new Set(held).size).to.equal(3)
      const status = await readFile(`/proc/${child}/status`, 'utf8')
      expect(status).to.match(/^NoNewPrivs:\t1$/m)
      expect(status).to.match(/^Seccomp:\t2$/m)
      expect(status).to.match(/^CapPrm:\t0{16}$/m)
      expect(status).to.match(/^Uid:(\t10001){4}$/m)
    })

    it('says that it is unusable on a kernel without Landlock, and runs nothing', async () => {
      await using supervised = await startSupervised(parts, { withoutLandlock: true })
      const { sandbox } = await supervised.client.next('ready')
      expect(sandbox).to.include({ usable: false, landlock: false, seccomp: false })
      expect(sandbox.problem).to.match(/Function not implemented/)
      expect((await supervised.container.ended).code).to.equal(43)
    })

    it('makes do with seccomp there where that is allowed, and says what is missing', async () => {
      const args = ['--sandbox', 'preferred']
      await using supervised = await startSupervised(parts, { withoutLandlock: true, args })
      const { sandbox, ffmpegVersion } = await supervised.client.next('ready')
      expect(sandbox).to.include({ usable: true, landlock: false, seccomp: true })
      expect(sandbox.problem).to.match(/Function not implemented/)
      expect(ffmpegVersion).to.match(/^7\.1\./)
      const exited = await supervised.run(['-i', 'tcp://127.0.0.1:9', '-f', 'null', '-'])
      expect(exited.code).to.equal(255)
    })

    it('can be switched off', async () => {
      await using supervised = await startSupervised(parts, { args: ['--sandbox', 'off'] })
      const { sandbox } = await supervised.client.next('ready')
      expect(sandbox).to.include({ usable: true, landlock: false, seccomp: false, problem: null })
    })
  })

  describe('the image', () => {
    it('has no shell, no setuid file and no plug-in folder', async () => {
      const names = await readdir(parts.root, { recursive: true, withFileTypes: true })
      const suspicious = names.filter(({ name }) =>
        ['sh', 'bash', 'dash', 'busybox', 'apt', 'dpkg', 'ladspa', 'frei0r-1', 'lv2'].includes(
          name,
        ),
      )
      expect(suspicious.map(({ name }) => name)).to.deep.equal([])
      for (const entry of names.filter((each) => each.isFile())) {
        const { mode } = await stat(path.join(entry.parentPath, entry.name))
        expect(mode & 0o6000, entry.name).to.equal(0)
      }
    })

    it('names every package with its source and carries its licence', async () => {
      const list = await readFile(path.join(parts.root, 'usr/share/doc/packages.tsv'), 'utf8')
      const packages = list
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'))
      expect(packages.map(([name]) => name)).to.include.members(['ffmpeg', 'libx264-164', 'libc6'])
      for (const [name = ''] of packages) {
        await access(path.join(parts.root, 'usr/share/doc', name, 'copyright'))
      }
    })

    it('draws each font family that it has, without a complaint', async () => {
      await using supervised = await startSupervised(parts)
      const { client, container } = supervised
      await client.next('ready')
      const families = [
        'DejaVu Sans',
        'Liberation Serif',
        'Noto Sans',
        'Roboto',
        'Open Sans',
        'Lato',
        'Montserrat',
      ]
      const digests = new Set<string>()
      for (const family of families) {
        const text = `drawtext=font=${family}:text=Quick fox:fontsize=40:fontcolor=white`
        const frame = ['-f', 'lavfi', '-i', 'color=s=320x100', '-frames:v', '1', '-vf', text]
        const exited = await supervised.run([...frame, '-f', 'md5', 'o.md5'])
        expect(exited, family).to.include({ code: 0, tail: '' })
        digests.add(await readFile(path.join(container.job, 'work/o.md5'), 'utf8'))
      }
      expect(digests.size).to.equal(families.length)
    })

    it('burns in subtitles of an old character set', async () => {
      await using supervised = await startSupervised(parts)
      const { client, container } = supervised
      await client.next('ready')
      const subtitles = Buffer.from('1\n00:00:00,000 --> 00:00:02,000\ncaf\xe9 \x80\n', 'latin1')
      await writeFile(path.join(container.job, 'in/in_2.srt'), subtitles)
      const converted = await supervised.run([
        ...['-sub_charenc', 'CP1252', '-i', '../in/in_2.srt', '-c:s', 'srt', 'out.srt'],
      ])
      expect(converted).to.include({ code: 0, tail: '' })
      const text = await readFile(path.join(container.job, 'work/out.srt'), 'utf8')
      expect(text).to.contain('café €')
      const digest = async (filter: string): Promise<string> => {
        const frame = ['-f', 'lavfi', '-i', 'color=s=320x100', '-frames:v', '1', '-vf', filter]
        const exited = await supervised.run([...frame, '-f', 'md5', 'o.md5'])
        expect(exited.code).to.equal(0)
        return readFile(path.join(container.job, 'work/o.md5'), 'utf8')
      }
      expect(await digest('subtitles=out.srt')).not.to.equal(await digest('null'))
    })

    it('gives x265 the thread pool that it is told to have', async () => {
      await using supervised = await startSupervised(parts)
      const { client } = supervised
      await client.next('ready')
      const source = ['-loglevel', 'info', '-f', 'lavfi', '-i', 'testsrc2=d=0.2', '-c:v', 'libx265']
      const exited = await supervised.run([...source, '-x265-params', 'pools=2', 'out.mp4'])
      expect(exited.code).to.equal(0)
      expect(exited.tail).to.match(/Thread pool created using 2 threads/)
      expect(exited.tail).not.to.match(/set_mempolicy|NUMA|affinity|Permission denied/)
    })
  })
})

/** What the descriptors of a process point to. */
async function openFiles(processId: string): Promise<string[]> {
  const folder = `/proc/${processId}/fd`
  const targets = (await readdir(folder)).map(async (name) => {
    try {
      return [await readlink(path.join(folder, name))]
    } catch {
      // the descriptor with which the folder itself was read
      return []
    }
  })
  return (await Promise.all(targets)).flat()
}

function verdict(exited: Exited): string | null {
  const capacity = { capSeconds: 1, fileBytes: 1, scratchBytes: 1, fileCount: 1, memoryBytes: 1 }
  return exitFailure(exited, capacity)?.status ?? null
}
