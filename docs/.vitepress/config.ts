import path from 'node:path'
import { transformerStyleToClass } from '@shikijs/transformers'
import packageFile from '../../package.json' with { type: 'json' }
import { callsSidebar } from './api-calls.ts'
import { githubSlug } from './github-slug.ts'
import { searchRoles } from './search-roles.ts'
import { renderForSearch } from './search-words.ts'
import { otherSources, pageOf, root, sidebar, siteLink } from './site-pages.ts'
import type { MarkdownRenderer, UserConfig } from 'vitepress'

/** Colours of code as classes: the policy of the site allows no style attributes. */
const codeColours = transformerStyleToClass({ classPrefix: 'code-' })

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0a5fc4"/><path d="M6 4.5v7l6-3.5z" fill="#fff"/></svg>'

/**
 * The guides of this repository as a site of files that works below any path.
 */
const config: UserConfig = {
  title: 'Cloud FFmpeg',
  description: 'FFmpeg commands over HTTP, on your own Kubernetes',
  lang: 'en',
  base: './',
  srcDir: '..',
  srcExclude: [...otherSources],
  rewrites: pageOf,
  cleanUrls: true,
  // vueuse would hide transitions by an inline style, which the policy does not allow.
  appearance: { disableTransition: false },
  router: { prefetchLinks: false },
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  themeConfig: {
    siteTitle: `Cloud FFmpeg <small>${packageFile.version}</small>`,
    search: { provider: 'local', options: { _render: renderForSearch } },
    outline: [2, 3],
    sidebar: { '/api': callsSidebar(), '/': sidebar() },
    nav: [
      { text: 'Docs', link: '/guides/getting-started' },
      { text: 'API', link: '/api' },
      { text: 'Console', link: '/console', target: '_self' },
    ],
  },
  vite: { plugins: [searchRoles()] },
  markdown: {
    anchor: { slugify: githubSlug },
    codeTransformers: [{ preprocess: withoutTimeLimit }, codeColours],
    config: followLinks,
  },
  transformHead: () => [['style', {}, sorted(codeColours.getCSS())]],
  // Two attributes of the theme, which `theme/site.css` replaces.
  transformHtml: (html) => html.replaceAll(/ style="[^"]*"/g, ''),
}

// oxlint-disable-next-line import/no-default-export -- VitePress loads its configuration by default export
export default config

/** The default lets a line that takes half a second lose its colours, so that a busy machine builds another site. */
function withoutTimeLimit(_code: string, options: { tokenizeTimeLimit?: number }): void {
  options.tokenizeTimeLimit = 0
}

/** Orders by name: pages are rendered in any order, and the same sources have to give the same site. */
function sorted(css: string): string {
  return css
    .split(/(?<=\})/)
    .toSorted()
    .join('')
}

/** Links name files, as GitHub resolves them; on the site they name pages. Code is shown as it is. */
function followLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push(
    'follow-links',
    ({ tokens, env }: { tokens: Token[]; env: Environment }) => {
      const source = path.relative(root, env.realPath ?? env.path)
      for (const { children } of tokens) {
        if (children === null) continue
        let isLost = false
        for (const token of children) {
          // Placeholders such as `{{in_1}}` are not expressions of Vue.
          if (token.type === 'code_inline') token.attrSet('v-pre', '')
          if (token.type === 'link_open') {
            const target = token.attrGet('href') ?? ''
            if (/^(?:[a-z]+:|#)/.test(target)) continue
            const link = siteLink(source, target)
            isLost = link === null
            if (link !== null) token.attrSet('href', link)
          }
          if (isLost && token.type.startsWith('link_')) {
            isLost = token.type !== 'link_close'
            Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '' })
          }
        }
      }
    },
  )
}

type Token = ReturnType<MarkdownRenderer['parse']>[number]

interface Environment {
  readonly realPath?: string
  readonly path: string
}
