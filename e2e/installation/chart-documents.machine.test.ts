import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { readBlocks } from '../../testing/documents/read-blocks.ts'
import { useChart } from './chart.fixture.ts'

const root = path.resolve(import.meta.dirname, '../..')
const documents = [
  'charts/cloud-ffmpeg/README.md',
  'docs/operations/database.md',
  'docs/operations/network.md',
  'docs/operations/openshift.md',
]

/** Example values on which a sample stands: those of an installation with keys, unless it says otherwise. */
const bases: readonly (readonly [string, string])[] = [
  ['evaluation.enabled=true', 'evaluation'],
  ['storage.credentials.mode=default', 'workload-identity'],
]

describe('the values that the documents show', function () {
  this.timeout(900_000)
  const { render } = useChart()
  let folder: string
  before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'documents-'))))
  after(() => rm(folder, { recursive: true, force: true }))

  for (const name of documents) {
    it(`the chart renders with the values of each sample and of each helm command in ${name}`, async () => {
      const blocks = readBlocks(await readFile(path.join(root, name), 'utf8'))
      for (const { line, language, text } of blocks) {
        const rendered = async (...values: string[]) => {
          const [, base = 'minimal'] = bases.find(([value]) => text.includes(value)) ?? []
          expect(await render(base, ...values), `line ${line}`).not.to.deep.equal([])
        }
        if (language === 'yaml') {
          const file = path.join(folder, 'values.yaml')
          await writeFile(file, text)
          await rendered('--values', file)
        }
        if (language === 'sh') {
          for (const command of text.replaceAll('\\\n', ' ').matchAll(/^helm .*--set .*$/gm)) {
            await rendered(...valuesSet(command[0]))
          }
        }
      }
    })
  }
})

function valuesSet(command: string): string[] {
  const set = command.matchAll(/--set (?:'([^']+)'|(\S+))/g)
  const values = [...set].map(([, quoted, plain]) => quoted ?? plain ?? '')
  return values.filter((value) => !value.endsWith('=...')).flatMap((value) => ['--set', value])
}
