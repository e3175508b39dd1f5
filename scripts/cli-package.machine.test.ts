import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { build } from 'esbuild'
import { pro } from '../testing/support/api/app.ts'
import { useFilesApp } from '../testing/support/api/files.ts'
import { succeed } from '../testing/support/api/outcomes.ts'
import { until } from '../testing/support/until.ts'
import { createClient } from '../cli/client/client.ts'
import { webhookSignature } from '../api-server/webhooks/signature.ts'
import { runCommand } from '../local-cluster/host/run-command.ts'
import { clusterSettings } from '../local-cluster/host/settings.ts'
import { nodeOfVersion } from '../local-cluster/images/node-binary.ts'
import packageFile from '../package.json' with { type: 'json' }
import { packageManifest, writeCliPackage } from './cli-package.ts'

const root = path.resolve(import.meta.dirname, '..')
const versions = ['20.20.2', '22.23.3', packageFile.devDependencies.node]

describe('the package for users', () => {
  let folder = ''
  const inFolder = (...names: string[]): string => path.join(folder, ...names)
  const app = useFilesApp({ plans: { pro } })
  const installed = (): string => inFolder('app/node_modules/cloud-ffmpeg')
  const environment = () => ({
    CLOUD_FFMPEG_URL: app.url,
    CLOUD_FFMPEG_API_KEY: app.key,
  })

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cloud-ffmpeg-package-'))
    await writeCliPackage(inFolder('package'))
    const packed = await runCommand('npm', ['pack', '--silent', inFolder('package')], {
      cwd: inFolder(),
    })
    await mkdir(inFolder('app'))
    await writeFile(inFolder('app/package.json'), '{"type":"module","private":true}')
    const archive = inFolder(packed.trim())
    expect((await stat(archive)).size, 'bytes of the archive').to.be.below(108 * 1024)
    const args = ['install', '--offline', '--no-audit', '--no-fund', archive]
    await runCommand('npm', args, { cwd: inFolder('app') })
  })

  after(() => rm(folder, { recursive: true }))

  it('the package has these files and depends on nothing', async () => {
    const files = (await readdir(installed(), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
      .map(({ parentPath, name }) => path.relative(installed(), path.join(parentPath, name)))
    expect(files.toSorted()).to.deep.equal([
      'LICENSE',
      'LICENSE-commander',
      'README.md',
      'dist/cloud-ffmpeg.js',
      'dist/index.browser.js',
      'dist/index.js',
      'dist/shared.js',
      'dist/webhooks.js',
      'openapi.json',
      'package.json',
    ])
    expect(await readdir(inFolder('app/node_modules'))).to.have.members([
      '.bin',
      '.package-lock.json',
      'cloud-ffmpeg',
    ])
    expect(packageManifest).to.not.have.property('dependencies')
  })

  for (const version of versions) {
    describe(`on Node.js ${version}`, () => {
      let node: string
      before(async () => {
        node = await nodeOfVersion(version, {
          settings: clusterSettings(process.env),
          say: (text) => console.log(`      ${text}`),
        })
      })

      it('starts the installed tool by its name', async () => {
        // The kernel reads the first line of the file, as it does for `npx` and scripts of npm.
        const program = inFolder('app/node_modules/.bin/cloud-ffmpeg')
        const PATH = [path.dirname(node), process.env['PATH']].join(path.delimiter)
        const env = { ...environment(), PATH }
        const shown = await runCommand(program, ['--version'], { env })
        expect(shown.trim()).to.equal(packageFile.version)
        const args = [
          'validate',
          '-o',
          'out_1=a.mp4',
          '--',
          '-f',
          'lavfi',
          '-i',
          'sine',
          '{{out_1}}',
        ]
        await runCommand(program, args, { env })
        const usage = await runCommand(program, ['usage'], { env })
        expect(usage).to.contain('pro')
      })

      it('uploads a Blob with the client for browsers, which has nothing of Node.js', async () => {
        const module = path.join(installed(), 'dist/index.browser.js')
        const script = `import { createClient } from ${JSON.stringify(module)}
          const { CLOUD_FFMPEG_URL: url, CLOUD_FFMPEG_API_KEY: apiKey } = process.env
          const blob = new Blob(['a clip'])
          const { status } = await createClient({ url, apiKey }).upload(blob, { name: 'clip.mov' })
          console.log(status)`
        await writeFile(inFolder('app/upload.js'), script)
        const shown = await runCommand(node, [inFolder('app/upload.js')], { env: environment() })
        expect(shown.trim()).to.equal('UPLOADED')
      })

      it('submits and waits as the sample of its README, and is loaded by require()', async () => {
        const sample = (await samples())[0] ?? ''
        await writeFile(inFolder('app/sample.js'), sample)
        const client = createClient({ url: app.url, apiKey: app.key })
        const earlier = new Set((await client.listCommands()).map(({ command_id }) => command_id))
        const sampled = runCommand(node, [inFolder('app/sample.js')], { env: environment() })
        const submitted = await until(async () => {
          const commands = await client.listCommands()
          return commands.find(({ command_id }) => !earlier.has(command_id))
        }, 'the command of the sample')
        await succeed(app, submitted.command_id)
        const shown = await sampled
        expect(shown).to.contain('SUCCESS')
        const script = "console.log(typeof require('cloud-ffmpeg').createClient)"
        const loaded = await runCommand(node, ['--input-type=commonjs', '--eval', script], {
          cwd: inFolder('app'),
        })
        expect(loaded).to.contain('function')
      })

      it('verifies a webhook', async () => {
        const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
        const body = '{"data":{"status":"SUCCESS"}}'
        const timestamp = Math.floor(Date.now() / 1_000)
        const headers = {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(timestamp),
          'webhook-signature': webhookSignature([secret], { id: 'msg_1', timestamp, body }),
        }
        const script = `import { verify } from 'cloud-ffmpeg/webhooks'
          const event = await verify(${JSON.stringify(body)}, ${JSON.stringify(headers)}, '${secret}')
          console.log(event.data.status)`
        await writeFile(inFolder('app/verify.js'), script)
        expect(await runCommand(node, [inFolder('app/verify.js')])).to.contain('SUCCESS')
      })
    })
  }

  it('runs a command by npx', async () => {
    const args = ['run', '--detach', '-o', 'tone.mp3', '-f lavfi -i sine=duration=3 {{out}}']
    const from = { cwd: inFolder('app'), env: environment() }
    const shown = await runCommand('npx', ['--offline', 'cloud-ffmpeg', ...args], from)
    const record = await app.record(`/v1/commands/${shown.trim()}`)
    expect(record).to.deep.include({ status: 'QUEUED' })
  })

  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    it(`the package has types for the samples of its README with moduleResolution ${moduleResolution}`, async () => {
      const texts = await samples()
      expect(texts).to.have.length(3)
      for (const [index, text] of texts.entries()) {
        await writeFile(inFolder(`app/sample-${index}.ts`), text)
      }
      const types = path.join(root, 'node_modules/@types')
      const settings = {
        compilerOptions: {
          module,
          moduleResolution,
          strict: true,
          noEmit: true,
          skipLibCheck: false,
          target: 'es2023',
          types: ['node'],
          typeRoots: [types],
        },
        files: texts.map((_, index) => `sample-${index}.ts`),
      }
      await writeFile(inFolder('app/tsconfig.json'), JSON.stringify(settings))
      await runCommand(path.join(root, 'node_modules/.bin/tsc'), ['--project', inFolder('app')])
    })
  }

  it('the package is bundled for browsers without a module of Node.js', async () => {
    const source = `import { createClient } from 'cloud-ffmpeg'; console.log(createClient)`
    const { outputFiles } = await build({
      stdin: { contents: source, resolveDir: inFolder('app') },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      logLevel: 'silent',
    })
    expect(outputFiles[0]?.text).to.not.match(/["']node:|require\(/)
  })

  async function samples(): Promise<string[]> {
    const text = await readFile(path.join(root, 'cli/README.md'), 'utf8')
    return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
  }
})
