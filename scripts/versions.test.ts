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

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

describe('the version', () => {
  it('the version is one number for package, chart, images, API description and the newest changes', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    const chart = parse(read('charts/cloud-ffmpeg/Chart.yaml')) as Record<string, unknown>
    const api = JSON.parse(read('common/openapi/openapi.json')) as { info: { version: string } }
    const changes = /^## (?!Unreleased$)(\S+)/m.exec(read('CHANGELOG.md'))?.[1]
    expect([chart['version'], chart['appVersion'], api.info.version, changes]).to.deep.equal([
      version,
      version,
      version,
      version,
    ])
  })
})
