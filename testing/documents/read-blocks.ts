/** A fenced block of a Markdown document. */
export interface Block {
  /** Number of its first line, counted from 1. */
  readonly line: number
  /** First word behind the fence; '' where there is none. */
  readonly language: string
  /** Why the tests do not run it: the text of `no-run: …` behind the language. */
  readonly notRun: string | null
  readonly text: string
}

/** The file that a reader makes of a block of code: named by a comment in its first line. */
export function fileOf({ language, text }: Block): string | null {
  const [, name = null] = /^(?:\/\/|#) ([\w-]+\.(?:mjs|py|ts))\n/.exec(text) ?? []
  return name ?? (language === 'ts' ? 'sample.ts' : null)
}

/** @throws where a block is not closed */
export function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: { line: number; info: string; lines: string[] } | null = null
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open === null) {
      const [, info] = /^```(.*)$/.exec(line) ?? []
      if (info !== undefined) open = { line: index + 2, info, lines: [] }
    } else if (line === '```') {
      blocks.push(blockOf(open.line, open.info, open.lines))
      open = null
    } else open.lines.push(line)
  }
  if (open !== null) throw new Error(`the block at line ${open.line} is not closed`)
  return blocks
}

function blockOf(line: number, info: string, lines: readonly string[]): Block {
  const [language = ''] = info.split(' ', 1)
  const [, reason] = /^\S+ no-run: (.+)$/.exec(info) ?? []
  if (info !== language && reason === undefined) {
    throw new Error(`line ${line - 1}: write '${language}' or '${language} no-run: REASON'`)
  }
  return { line, language, notRun: reason ?? null, text: lines.join('\n') }
}

/** Documents whose blocks the stories run as they are, relative to the repository's root. */
export const pasted: readonly string[] = [
  'README.md',
  'docs/getting-started.md',
  'docs/api.md',
  'docs/kubernetes.md',
  'docs/errors.md',
  'docs/migrate.md',
  'docs/uploads.md',
  'docs/webhooks.md',
]

/** Documents whose blocks the stories run with names of the installation in the place of theirs. */
export const filledIn: readonly string[] = [
  'charts/cloud-ffmpeg/README.md',
  'docs/cli.md',
  'docs/gitops.md',
  'docs/hls.md',
  'docs/operations/administration.md',
  'docs/operations/runbooks.md',
  'docs/retention.md',
]

/** Documents whose blocks run, unless they say why not. */
export const documents: readonly string[] = [...pasted, ...filledIn]
