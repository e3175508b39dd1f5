import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

/** Documents for developers of this repository, which the site does not show. */
const leftOut = ['docs/style.md']

/** Page of the calls of the API. */
export const reference = 'console/reference/page.md'

/** Markdown files of the site, relative to the repository. */
export const sources: readonly string[] = [
  ...globSync('docs/{*,decisions/*,operations/*}.md', { cwd: root }).filter(
    (file) => !leftOut.includes(file),
  ),
  'charts/cloud-ffmpeg/README.md',
  'cli/README.md',
  reference,
].toSorted()

/** All others. */
export const otherSources: readonly string[] = globSync('**/*.md', {
  cwd: root,
  exclude: (name) => name.endsWith('node_modules'),
}).filter((file) => !sources.includes(file))

const others: Readonly<Record<string, string>> = {
  'docs/README.md': 'index.md',
  'charts/cloud-ffmpeg/README.md': 'guides/chart.md',
  'cli/README.md': 'guides/package.md',
  [reference]: 'api.md',
  'docs/decisions/README.md': 'guides/decisions/index.md',
  'docs/operations/README.md': 'guides/operations/index.md',
}

/** Path of a document on the site: `docs/NAME.md` is at `guides/NAME.md`. */
export function pageOf(source: string): string {
  return others[source] ?? source.replace(/^docs\//, 'guides/')
}

/**
 * Target on the site of a link of a document; null for a file of the repository that the site does not have.
 * @param target relative to the document, as GitHub resolves it
 * @throws if the file does not exist
 */
export function siteLink(source: string, target: string): string | null {
  const [file = '', anchor] = target.split('#')
  const found = path.posix.join(path.posix.dirname(source), decodeURI(file))
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (sources.includes(found)) {
    return `/${pageOf(found).replace(/(?:index)?\.md$/, '')}${hash}`
  }
  if (existsSync(path.join(root, found))) return null
  throw new Error(`${source} links to ${target}, which does not exist`)
}

interface Group {
  readonly text: string
  readonly names: readonly string[]
}

const groups: readonly Group[] = [
  {
    text: 'Use it',
    names: [
      'getting-started',
      'playground',
      'recipes',
      'fonts',
      'uploads',
      'hls',
      'webhooks',
      'n8n',
    ],
  },
  {
    text: 'Look it up',
    names: ['api', 'limits', 'errors', 'cli', 'package', 'kubernetes', 'migrate'],
  },
  {
    text: 'Run it',
    names: [
      'chart',
      'operations/',
      'operations/values',
      'operations/storage',
      'operations/network',
      'operations/openshift',
      'gitops',
      'operations/administration',
      'operations/backup',
      'operations/troubleshooting',
      'operations/runbooks',
      'metrics',
      'security',
      'hardened-runner',
      'retention',
      'upgrades',
    ],
  },
  { text: 'Inside', names: ['architecture', 'performance', 'decisions/'] },
]

/** Groups of links with the titles of the documents; a document that no group names is in the last one. */
export function sidebar() {
  const known = new Set(groups.flatMap(({ names }) => names))
  const pages = new Map(
    sources
      .filter(
        (source) =>
          !['docs/README.md', reference].includes(source) && !/decisions\/\d/.test(source),
      )
      .map((source) => [pageOf(source).replace(/^guides\/|(?:index)?\.md$/g, ''), titleOf(source)]),
  )
  const unknown = [...pages.keys()].filter((name) => !known.has(name))
  return groups.map(({ text, names }, index) => ({
    text,
    items: [...names, ...(index === groups.length - 1 ? unknown : [])].flatMap((name) => {
      const title = pages.get(name)
      return title === undefined ? [] : [{ text: title, link: `/guides/${name}` }]
    }),
  }))
}

function titleOf(source: string): string {
  const [, title = source] = /^# (.*)$/m.exec(readFileSync(path.join(root, source), 'utf8')) ?? []
  return title
}
