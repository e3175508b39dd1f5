import { expect } from 'chai'
import { access, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { finalArgv } from '../../common/command-line/plan/final-argv.ts'
import { stepOf } from '../support/plan-one.ts'
import { startSupervised } from './runner/test-runner.ts'
import { useRunnerParts } from './runner/use-runner.ts'

describe('the runner image', () => {
  const parts = useRunnerParts()

  it('the runner image has no shell, no setuid file and no plug-in folder', async () => {
    const names = await readdir(parts.root, { recursive: true, withFileTypes: true })
    const suspicious = names.filter(({ name }) =>
      ['sh', 'bash', 'dash', 'busybox', 'apt', 'dpkg', 'ladspa', 'frei0r-1', 'lv2'].includes(name),
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
    const { container } = supervised
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
    const { container } = supervised
    const subtitles = Buffer.from('1\n00:00:00,000 --> 00:00:02,000\ncaf\xe9 \x80\n', 'latin1')
    await writeFile(path.join(container.job, 'in/in_2.srt'), subtitles)
    const converted = await supervised.run([
      '-sub_charenc',
      'CP1252',
      '-i',
      '../in/in_2.srt',
      '-c:s',
      'srt',
      'out.srt',
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

  it('gives x265 a pool of as many threads as the command has vCPUs, in the sandbox', async () => {
    await using supervised = await startSupervised(parts)
    const step = stepOf('-f lavfi -i testsrc2=d=0.2 -c:v libx265 {{out_1}}')
    for (const vcpuCount of [1, 3]) {
      const argv = finalArgv(step, { inputPaths: {}, vcpuCount, maxPixels: 1_000_000 })
      const from = supervised.client.received.length
      const exited = await supervised.run(argv)
      expect(exited.code).to.equal(0)
      const log = supervised.client.received
        .slice(from)
        .flatMap((message) => (message.type === 'stderr' ? message.lines : []))
        .join('\n')
      expect(log).to.contain(`Thread pool created using ${String(vcpuCount)} threads`)
      expect(log).not.to.match(/set_mempolicy|NUMA|affinity|Permission denied/)
    }
  })
})
