import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { failures } from '../../common/domain/failures.ts'
import { githubSlug } from '../../docs/.vitepress/github-slug.ts'
import { sources } from '../../docs/.vitepress/site-pages.ts'
import { longSentences } from './long-sentences.ts'
import { documents, fileOf, readBlocks } from './read-blocks.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (name: string) => readFile(path.join(root, name), 'utf8')

/** Each recipe and the samples of the package have a test of their own. */
const runElsewhere = ['docs/recipes.md', 'cli/README.md']

/** Blocks in these languages show something, and have nothing to run. */
const shown = ['json', 'text', 'mermaid']

describe('the documents', () => {
  for (const name of [...new Set([...documents, ...sources, 'CONTRIBUTING.md', 'SECURITY.md'])]) {
    it(`${name} says of each block in which language it is, and why it does not run`, async () => {
      for (const { line, language, notRun, text } of readBlocks(await read(name))) {
        expect(language, `line ${line}`).to.match(/^[a-z]+$/)
        if (notRun !== null || shown.includes(language) || runElsewhere.includes(name)) continue
        const isRun = documents.includes(name)
        expect(isRun, `${name}, line ${line}: run it, or write no-run`).to.equal(true)
        const isFile = fileOf({ line, language, notRun, text }) !== null
        expect(language === 'sh' || isFile, `line ${line}: a file needs a name`).to.equal(true)
      }
    })

    it(`${name} links only to what exists`, async () => {
      const prose = (await read(name)).replaceAll(/^```.*?^```$/gms, '')
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue
        const [file = '', anchor] = target.split('#')
        const found = file === '' ? prose : await read(path.join(path.dirname(name), file))
        if (anchor === undefined) continue
        const headings = found.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)
        const anchors = [...headings].map(([, heading = '']) => githubSlug(heading))
        expect(anchors, target).to.include(anchor)
      }
    })

    it(`${name} has no sentence over 40 words`, async () => {
      expect(longSentences(await read(name), 40)).to.deep.equal([])
    })
  }

  it('keep README within 120 lines', async () => {
    expect((await read('README.md')).trimEnd().split('\n').length).to.be.at.most(120)
  })

  it('explain each error_status below an anchor of its name', async () => {
    const text = await read('docs/errors.md')
    for (const [status, { remedy }] of Object.entries(failures)) {
      expect(text).to.contain(`\n### ${status}\n`).and.contain(`- Remedy: ${remedy}\n`)
    }
  })

  it('explain each value of the chart', async () => {
    const text = await read('charts/cloud-ffmpeg/README.md')
    const values = parse(await read('charts/cloud-ffmpeg/values.yaml')) as object
    const names = Object.keys(values)
    expect(names.length).to.be.greaterThan(10)
    for (const name of names) expect(text, name).to.match(new RegExp(`\\| \`${name}[.\`]`))
  })
})
