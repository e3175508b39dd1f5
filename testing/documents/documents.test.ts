import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { warningMeanings } from '../../common/domain/command-warnings.ts'
import { failures } from '../../common/domain/failures.ts'
import { githubSlug } from '../../docs/.vitepress/github-slug.ts'
import { sources } from '../../docs/.vitepress/site-pages.ts'
import { attackCommands } from '../attacks/attack-commands.ts'
import { attacksByContent } from '../attacks/sandbox/attacks-by-content.ts'
import { readCorpus } from '../corpus/read-corpus.ts'
import { longSentences } from './long-sentences.ts'
import { documents, fileOf, readBlocks } from './read-blocks.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (name: string) => readFile(path.join(root, name), 'utf8')

/** Each recipe and the samples of the package have a test of their own. */
const runElsewhere = ['docs/recipes.md', 'cli/README.md']

/** Blocks in these languages show something, and have nothing to run. */
const shown = ['json', 'text', 'mermaid']

const pages = [...new Set([...documents, ...sources, 'CONTRIBUTING.md', 'SECURITY.md'])]

describe('the documents', () => {
  for (const name of pages) {
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

  for (const name of pages) {
    it(`${name} names chart values that exist`, async () => {
      const values = parse(await read('charts/cloud-ffmpeg/values.yaml')) as object
      const keys = [...(await read(name)).matchAll(/`([a-zA-Z]+(?:\.[A-Za-z]+)+)(?:[:=][^`]*)?`/g)]
      const wrong = keys.map(([, key = '']) => key).filter((key) => isMissing(values, key))
      expect(wrong).to.deep.equal([])
    })
  }

  it('README has at most 120 lines', async () => {
    expect((await read('README.md')).trimEnd().split('\n').length).to.be.at.most(120)
  })

  it('the documents count the commands, those that are published, the recipes and the attacks that the tests run', async () => {
    const corpus = await readCorpus(path.join(root, 'testing/corpus/commands'))
    const published = corpus.filter(({ theme }) => theme.startsWith('published')).length
    expect(await read('README.md')).to.include(
      `${thousands(corpus.length)} commands,\n  ${thousands(published)} of them published, run in the tests`,
    )
    const recipes = (await read('docs/recipes.md')).match(/^### /gm) ?? []
    expect(await read('README.md')).to.include(`| ${recipes.length} commands that people need`)
    const at = {
      secret: '',
      secretRelative: '',
      outside: '',
      outsideRelative: '',
      host: '',
      job: '',
    }
    const byContent = attacksByContent(at, { sound: '', subtitles: '' })
    const attacks = thousands(attackCommands(at).length + byContent.length)
    expect(await read('docs/decisions/0006-sandbox.md')).to.include(`\n${attacks} attacks run`)
  })

  it('the documents explain each code of the warnings of a command', async () => {
    const text = await read('docs/api.md')
    for (const code of Object.keys(warningMeanings)) expect(text).to.contain(`\n- \`${code}\`: `)
  })

  it('the documents explain each error_status below an anchor of its name', async () => {
    const text = await read('docs/errors.md')
    for (const [status, { remedy }] of Object.entries(failures)) {
      expect(text).to.contain(`\n### ${status}\n`).and.contain(`- Remedy: ${remedy}\n`)
    }
  })

  it('the documents explain each value of the chart', async () => {
    const text = await read('charts/cloud-ffmpeg/README.md')
    const values = parse(await read('charts/cloud-ffmpeg/values.yaml')) as object
    const names = Object.keys(values)
    expect(names.length).to.be.greaterThan(10)
    for (const name of names) expect(text, name).to.match(new RegExp(`\\| \`${name}[.\`]`))
  })
})

function thousands(count: number): string {
  return count.toLocaleString('en-US')
}

/** @param key path of a chart value; a capital letter begins a name that the reader chooses */
function isMissing(values: object, key: string): boolean {
  const [first = '', ...further] = key.split('.')
  if (!(first in values)) return false
  let at: unknown = Object.entries(values).find(([name]) => name === first)?.[1]
  for (const part of further) {
    const fields = typeof at === 'object' && at !== null ? Object.entries(at) : []
    if (Array.isArray(at) || fields.length === 0 || /^[A-Z]/.test(part)) return false
    const found = fields.find(([name]) => name === part)
    if (found === undefined) return true
    at = found[1]
  }
  return false
}
