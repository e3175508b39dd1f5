import path from 'node:path'

/** A source file, by its path from the root of the repository, with the files that it imports. */
export interface SourceFile {
  readonly file: string
  readonly imports: readonly string[]
  /** Those that are not of types alone. */
  readonly values: readonly string[]
}

/** Maximum number of source files in a folder. */
const mostFiles = 15

const belowTesting = [
  'api-server',
  'cli',
  'common',
  'crds',
  'docs',
  'images',
  'local-cluster',
  'operator',
  'runner-image',
]

/** Imports allowed to the production files of each part, itself aside. */
const floors: Readonly<Record<string, readonly string[]>> = {
  crds: [],
  common: ['crds'],
  'api-server': ['common', 'crds'],
  operator: ['common', 'crds'],
  'runner-image': ['common'],
  cli: ['common'],
  console: ['cli', 'common'],
  'local-cluster': [],
  images: ['console', 'docs', 'local-cluster', 'runner-image'],
  testing: belowTesting,
}

/** Tests of the other parts may import everything: the client is tested on the real API. */
const testFloors: Readonly<Record<string, readonly string[]>> = {
  crds: ['testing'],
  common: ['crds', 'testing'],
  'local-cluster': ['testing'],
  testing: belowTesting,
}

/** Imports against the order of parts, parts or folders that import each other, and folders that are too full. */
export function importMistakes(files: readonly SourceFile[]): string[] {
  const sources = files.filter(({ file }) => !isTest(file))
  return [
    ...files.flatMap(wrongFloors),
    ...circles(sources, folderOf),
    ...circles(sources, partOf),
    ...fullFolders(sources),
  ]
}

/** A module with its relative imports, `import type` and `import()` included. */
export function sourceFile(file: string, text: string): SourceFile {
  const values = text.replaceAll(/^(?:import|export) type [^;]*?from '[^']+'/gm, '')
  return { file, imports: importsIn(file, text), values: importsIn(file, values) }
}

function importsIn(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.m?[jt]sx?)'/g)].map(([, to = '']) =>
    path.posix.join(path.posix.dirname(file), to),
  )
}

function partOf(file: string): string {
  return file.split('/')[0] ?? ''
}

function folderOf(file: string): string {
  return path.posix.dirname(file)
}

function isTest(file: string): boolean {
  return /\.(test|fixture|story)\.ts$/.test(file)
}

function wrongFloors({ file, imports }: SourceFile): string[] {
  const part = partOf(file)
  const allowed = (isTest(file) ? testFloors : floors)[part]
  if (allowed === undefined) return []
  return imports
    .filter((to) => {
      const other = partOf(to)
      return other !== part && !allowed.includes(other)
    })
    .map((to) => `${file} imports ${to}: ${part} may import ${listed(allowed)}`)
}

function listed(parts: readonly string[]): string {
  return parts.length === 0 ? 'no other part' : `${parts.join(' and ')} alone`
}

function circles(sources: readonly SourceFile[], groupOf: (file: string) => string): string[] {
  const arrows = new Map<string, string>()
  for (const { file, imports } of sources) {
    const from = groupOf(file)
    for (const imported of imports) {
      const to = groupOf(imported)
      if (to !== from) arrows.set(`${from} ${to}`, `${file} imports ${imported}`)
    }
  }
  return [...arrows].flatMap(([key, example]) => {
    const [from = '', to = ''] = key.split(' ')
    const back = arrows.get(`${to} ${from}`)
    return back === undefined || from > to
      ? []
      : [`${from} and ${to} import each other: ${example}, and ${back}`]
  })
}

function fullFolders(sources: readonly SourceFile[]): string[] {
  const counts = new Map<string, number>()
  for (const { file } of sources) {
    const folder = folderOf(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > mostFiles)
    .map(([folder, count]) => `${folder} holds ${count} source files; the most is ${mostFiles}`)
}
