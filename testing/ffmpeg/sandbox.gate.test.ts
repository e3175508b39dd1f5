import { expect } from 'chai'
import { readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'
import { startSupervised } from './runner/test-runner.ts'
import { useRunnerParts } from './runner/use-runner.ts'

describe('the sandbox around FFmpeg', () => {
  const parts = useRunnerParts()

  const endless = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-f', 'null', '-']

  it('refuses what lies outside, and answers with the exit of a denied access', async () => {
    await using supervised = await startSupervised(parts)
    const read = ['-f', 'data', '-i', '/app/supervisor.mjs', '-map', '0', '-c', 'copy']
    const exited = await supervised.run([...read, '-f', 'data', 'o.bin'])
    expect(exited.code).to.equal(243)
  })

  it('shows FFmpeg neither the environment nor descriptors nor other privileges', async () => {
    await using supervised = await startSupervised(parts, { env: { LEAK: 'canary' } })
    const { client, container } = supervised
    const id = supervised.begin(endless)
    await client.next('progress', id)
    const supervisor = String(await container.processId())
    const child = (await readFile(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8')).trim()
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

  for (const [without, complaint] of [
    ['landlock', /Function not implemented/],
    ['seccomp', /seccomp/i],
  ] as const) {
    it(`says that it is unusable on a kernel without ${without}, why, and runs nothing`, async () => {
      await using supervised = await startSupervised(parts, { without })
      const { sandbox } = await supervised.client.next('ready')
      expect(sandbox).to.include({ mode: 'required', usable: false })
      expect(sandbox).to.include({ landlock: false, seccomp: false })
      expect(sandbox.problem).to.match(complaint)
      expect((await supervised.container.ended).code).to.equal(43)
    })
  }

  it('makes do with seccomp there where that is allowed, and says what is missing', async () => {
    const args = ['--sandbox', 'preferred']
    await using supervised = await startSupervised(parts, { without: 'landlock', args })
    const { sandbox, ffmpegVersion } = await supervised.client.next('ready')
    expect(sandbox).to.include({ usable: true, landlock: false, seccomp: true })
    expect(sandbox.problem).to.match(/Function not implemented/)
    expect(ffmpegVersion).to.match(/^7\.1\./)
    const exited = await supervised.run(['-i', 'tcp://127.0.0.1:9', '-f', 'null', '-'])
    expect(exited.code).to.equal(255)
  })

  it('makes do with Landlock where seccomp is missing and that is allowed', async () => {
    const args = ['--sandbox', 'preferred']
    await using supervised = await startSupervised(parts, { without: 'seccomp', args })
    const { sandbox } = await supervised.client.next('ready')
    expect(sandbox).to.include({ usable: true, landlock: true, seccomp: false })
    expect(sandbox.problem).to.match(/seccomp/i)
    const exited = await supervised.run(['-i', '/app/supervisor.mjs', '-f', 'null', '-'])
    expect(exited.code).to.equal(243)
  })

  it('the sandbox is complete where it is only preferred and the kernel has everything', async () => {
    await using supervised = await startSupervised(parts, { args: ['--sandbox', 'preferred'] })
    const { sandbox } = await supervised.client.next('ready')
    expect(sandbox).to.include({ usable: true, landlock: true, seccomp: true, problem: null })
  })

  it('runs FFmpeg without the sandbox when it is switched off', async () => {
    await using supervised = await startSupervised(parts, { args: ['--sandbox', 'off'] })
    const { sandbox } = await supervised.client.next('ready')
    expect(sandbox).to.include({ usable: true, landlock: false, seccomp: false, problem: null })
    const limited = await supervised.run(['-f', 'lavfi', '-i', 'anullsrc', '-f', 'u8', 'o.bin'], {
      fileBytes: 1000,
    })
    expect(limited.signal ?? limited.code).to.be.oneOf(['SIGXFSZ', 153, 229, 228])
  })
})

/** Targets of the descriptors of a process. */
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
