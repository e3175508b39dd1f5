import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { bundleCli } from '../scripts/cli-bundle.ts'
import packageFile from '../package.json' with { type: 'json' }

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..')

describe('the command line tool', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cli-package-'))
  })
  after(() => rm(folder, { recursive: true }))

  it('starts by its name from a clone', async () => {
    const { stdout } = await run('npx', ['--no', '--', 'cloud-ffmpeg', '--version'], { cwd: root })
    expect(stdout.trim()).to.equal(packageFile.version)
  })

  it('starts from its package without type stripping and without dependencies', async () => {
    const installed = path.join(folder, 'node_modules/cloud-ffmpeg')
    await mkdir(installed, { recursive: true })
    await bundleCli(path.join(installed, 'cli/bundle'))
    for (const name of ['package.json', 'cli/cloud-ffmpeg.mjs']) {
      await cp(path.join(root, name), path.join(installed, name))
    }
    const program = path.join(installed, packageFile.bin['cloud-ffmpeg'])
    const { stdout } = await run(process.execPath, [program, '--version'])
    expect(stdout.trim()).to.equal(packageFile.version)
  })

  it('is packed with the files it needs', async () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
    const { stdout } = await run('npm', args, { cwd: root })
    // Checked by path, since a hash in the listing may contain any word.
    const packed = JSON.parse(stdout) as [{ files: { path: string }[] }]
    const paths = packed[0].files.map((file) => file.path)
    expect(paths).to.include.members(['cli/cloud-ffmpeg.mjs', 'LICENSE'])
    expect(paths.filter((file) => /^(api-server|operator|e2e|testing)\//.test(file))).to.deep.equal(
      [],
    )
    expect(packageFile.files).to.include('cli/bundle')
    expect(packageFile.scripts.prepack).to.contain('bundle-cli.ts')
  })
})
