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

  const answers = [
    ['authenticate', 'guides/api#authentication'],
    ['Bearer', 'guides/api#authentication'],
    ['rate limit', 'guides/limits'],
    ['n8n', 'guides/n8n'],
    ['hls', 'guides/recipes#an-hls-ladder'],
    ['hls.js', 'guides/hls'],
    ['private', 'guides/hls#private-playlists'],
    ['pagination', 'guides/api#pages-of-a-list'],
    ['idempotency', 'guides/api#errors'],
    ['retention', 'guides/retention'],
    ['Rendi', 'guides/migrate'],
    ['migrate', 'guides/migrate'],
    ['GPU', 'guides/errors#what-this-ffmpeg-lacks'],
    ['nvenc', 'guides/errors#what-this-ffmpeg-lacks'],
    ['chain', 'api#/Commands/runChainedFfmpegCommands'],
    ['list commands', 'api#/Commands/listCommands'],
    ['init-upload', 'api#/Files/initUpload'],
    ['webhook secret', 'api#/Webhooks/putWebhook'],
    ['/v1/run-ffmpeg-command', 'api#/Commands/runFfmpegCommand'],
    ['runFfmpegCommand', 'api#/Commands/runFfmpegCommand'],
    ['next_attempt_at', 'api#/Webhooks/'],
  ] as const

  for (const [words, answer] of answers) {
    it(`the search has ${answer} first when a reader types '${words}'`, () => {
      const [first] = index.of.search(words)
      expect(first?.id).to.match(new RegExp(`^/${answer}`))
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
