import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect } from 'chai'
import { builtDocs } from '../../images/docs-bundle.ts'
import { useResource } from '../../testing/support/mocha.ts'

interface Index {
  search(words: string): readonly { readonly id: string }[]
}

interface MiniSearch {
  loadJSON(text: string, options: object): Index
}

describe('the search of /docs', () => {
  const index = useResource(async () => ({
    of: await readIndex(await builtDocs()),
    close: () => undefined,
  }))

  const guides = [
    ['authenticate', 'api#authentication'],
    ['Bearer', 'api#authentication'],
    ['rate limit', 'limits'],
    ['n8n', 'n8n'],
    ['hls.js', 'hls'],
    ['chain', 'api#chains'],
    ['pagination', 'api#pages-of-a-list'],
    ['Rendi', 'migrate'],
    ['migrate', 'migrate'],
    ['GPU', 'errors#what-this-ffmpeg-lacks'],
    ['nvenc', 'errors#what-this-ffmpeg-lacks'],
  ] as const

  for (const [words, guide] of guides) {
    it(`the search has ${guide} among its first three when a reader types '${words}'`, () => {
      const found = index.of.search(words).map(({ id }) => id)
      const first = found.slice(0, 3)
      expect(
        first.some((id) => id.startsWith(`/guides/${guide}`)),
        first.join(),
      ).to.equal(true)
    })
  }

  it('leaves out the records of decisions', () => {
    const ids = index.of.search('decision express postgres lease runner').map(({ id }) => id)
    expect(ids.length).to.be.greaterThan(10)
    expect(ids.filter((id) => id.includes('/decisions/'))).to.deep.equal([])
  })
})

/** The index with the options of VitePress's search dialog. */
async function readIndex(folder: string): Promise<Index> {
  const chunks = path.join(folder, 'assets/chunks')
  const names = await readdir(chunks)
  const name = names.find((one) => one.startsWith('@localSearchIndex') && one.endsWith('.js')) ?? ''
  const module = (await import(path.join(chunks, name))) as { readonly default: string }
  const vitepress = createRequire(import.meta.url).resolve('vitepress/package.json')
  const library = createRequire(vitepress).resolve('minisearch')
  const { default: search } = (await import(library)) as { readonly default: MiniSearch }
  return search.loadJSON(module.default, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  })
}
