import { callsForSearch } from './api-calls.ts'
import { pageOf, reference } from './site-pages.ts'
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress'

/** Words that people search for, by the section of the site that answers them. */
const words: Readonly<Record<string, string>> = {
  'guides/api.md#authentication': 'authenticate authorization bearer token login API key',
  'guides/api.md#chains': 'chain chained commands pipeline several steps',
  'guides/api.md#pages-of-a-list': 'pagination paginate paging page cursor',
  'guides/api.md#errors': 'idempotency idempotent Idempotency-Key retry',
  'guides/limits.md': 'rate limit rate limits rate limiting limit limits throttle 429',
  'guides/hls.md': 'hls.js m3u8 streaming player',
  'guides/n8n.md': 'n8n workflow automation Zapier Make',
  'guides/migrate.md': 'migrate migration Rendi hosted service',
  'guides/errors.md#what-this-ffmpeg-lacks':
    'GPU GPUs GPU-accelerated nvenc cuda vaapi qsv hardware acceleration h264_nvenc',
}

/** Records of decisions are for developers: in the search they would stand above the guides. */
const leftOut = /^docs\/decisions\//

/**
 * HTML of a page as the search reads it; '' leaves the page out.
 * @throws if a section with words does not exist
 */
export async function renderForSearch(
  source: string,
  env: MarkdownEnv,
  markdown: MarkdownRenderer,
): Promise<string> {
  if (leftOut.test(env.relativePath)) return ''
  if (env.relativePath === reference) return callsForSearch()
  const page = pageOf(env.relativePath)
  let html = await markdown.renderAsync(source, env)
  for (const [at, more] of Object.entries(words)) {
    const [name, anchor] = at.split('#')
    if (name !== page) continue
    const heading = anchor === undefined ? '<h1' : `id="${anchor}"`
    const start = html.indexOf(heading)
    const end = html.indexOf('</h', start)
    if (start === -1) throw new Error(`the search has words for ${at}, which does not exist`)
    const behind = html.indexOf('>', end) + 1
    html = `${html.slice(0, behind)}<p>${more}</p>${html.slice(behind)}`
  }
  return html
}
