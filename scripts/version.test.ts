import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

describe('the version', () => {
  it('is one number for package, chart, images, API description and the newest changes', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    const chart = parse(read('charts/cloud-ffmpeg/Chart.yaml')) as Record<string, unknown>
    const api = JSON.parse(read('common/openapi/openapi.json')) as { info: { version: string } }
    const changes = /^## (\S+)/m.exec(read('CHANGELOG.md'))?.[1]
    expect([chart['version'], chart['appVersion'], api.info.version, changes]).to.deep.equal([
      ...[version, version, version, version],
    ])
  })
})
