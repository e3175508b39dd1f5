import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { packageManifest } from './cli-package.ts'
import packageFile from '../package.json' with { type: 'json' }
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const root = path.resolve(import.meta.dirname, '..')

describe('the least version of Node.js', () => {
  const [, least = ''] = /^>=(\S+)$/.exec(packageFile.engines.node) ?? []

  it('the least version of Node.js is that of package.json in every text', async () => {
    for (const file of ['README.md', 'CONTRIBUTING.md', 'scripts/with-dependencies.mjs']) {
      const text = await readFile(path.join(root, file), 'utf8')
      const named = [...text.matchAll(/Node\.js (\d[\d.]*\d) or newer/g)].map(
        ([, version]) => version,
      )
      expect(named, file).to.deep.equal([least])
    }
  })

  it('the least version of Node.js for users is that of their package in its texts', async () => {
    const wanted = packageManifest.engines.node.replace('>=', '')
    for (const file of ['docs/cli.md', 'cli/README.md']) {
      const text = await readFile(path.join(root, file), 'utf8')
      const named = [...text.matchAll(/Node\.js (\d[\d.]*\d) or newer/g)].map(
        ([, version]) => version,
      )
      expect(named, file).to.deep.equal([wanted])
    }
  })

  it('the least version of Node.js is below the one that npm ci installs', async () => {
    const brought = packageFile.devDependencies.node.split('.')[0]
    for (const file of ['README.md', 'CONTRIBUTING.md', 'scripts/with-dependencies.mjs']) {
      const text = await readFile(path.join(root, file), 'utf8')
      expect(text, file).to.match(new RegExp(`npm ci.? brings the Node\\.js ${brought}\\b`))
    }
  })
})

describe('the name of the package for users', () => {
  it('the name in every text is that of the manifest, and no text starts a program of that name in the registry', async () => {
    const { name } = packageManifest
    for (const file of ['cli/README.md', 'console/webhooks/verify-samples.ts']) {
      const imported = [...read(file).matchAll(/from '([^'./][^']*)'/g)].map(
        ([, from = '']) => from,
      )
      const own = imported.filter((from) => from.includes('cloud-ffmpeg'))
      expect(own.length, file).to.be.greaterThan(0)
      expect(
        own.filter((from) => !`${from}/`.startsWith(`${name}/`)),
        file,
      ).to.deep.equal([])
    }
    for (const file of [
      'README.md',
      'docs/getting-started.md',
      'docs/cli.md',
      'cli/README.md',
      'console/command/copy-as.ts',
    ]) {
      expect(read(file), file).not.to.match(/npx (?!--no-install )\S*cloud-ffmpeg/)
    }
  })
})

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

describe('the version', () => {
  it('the version is one number for package, chart, images, API description and the newest changes', () => {
    const { version } = packageFile
    const chart = parse(read('charts/cloud-ffmpeg/Chart.yaml')) as Record<string, unknown>
    const api = JSON.parse(read('common/openapi/openapi.json')) as { info: { version: string } }
    const lock = JSON.parse(read('package-lock.json')) as { version: string }
    const [, title = '', first = ''] = /^## (.+)\n\n(.+)$/m.exec(read('CHANGELOG.md')) ?? []
    const changes = title === 'Unreleased' ? /^Version (\S+-dev),/.exec(first)?.[1] : title
    expect({
      chart: chart['version'],
      images: chart['appVersion'],
      api: api.info.version,
      lock: lock.version,
      changes,
    }).to.deep.equal({
      chart: version,
      images: version,
      api: version,
      lock: version,
      changes: version,
    })
  })
})
