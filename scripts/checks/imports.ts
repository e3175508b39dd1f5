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

/** Imports allowed to the production files of each part, itself aside. */
const floors: Readonly<Record<string, readonly string[]>> = {
  crds: [],
  common: ['crds'],
  'api-server': ['common', 'crds'],
  operator: ['common', 'crds'],
  'runner-image': ['common'],
  cli: ['common'],
  console: ['cli', 'common'],
}

/** Tests of the other parts may import everything: the client is tested on the real API. */
const testFloors: Readonly<Record<string, readonly string[]>> = {
  crds: ['testing'],
  common: ['crds', 'testing'],
}

/** Imports against the order of parts, pairs of folders that import each other, and folders that are too full. */
export function importMistakes(files: readonly SourceFile[]): string[] {
  const sources = files.filter(({ file }) => !isTest(file))
  return [...files.flatMap(wrongFloors), ...circles(sources), ...fullFolders(sources)]
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

function isTest(file: string): boolean {
  return /\.(test|fixture|story)\.ts$/.test(file)
}

function wrongFloors({ file, imports }: SourceFile): string[] {
  const [part = ''] = file.split('/')
  const allowed = (isTest(file) ? testFloors : floors)[part]
  if (allowed === undefined) return []
  return imports
    .filter((to) => {
      const [other = ''] = to.split('/')
      return other !== part && !allowed.includes(other)
    })
    .map((to) => `${file} imports ${to}: ${part} may import ${listed(allowed)}`)
}

function listed(parts: readonly string[]): string {
  return parts.length === 0 ? 'no other part' : `${parts.join(' and ')} alone`
}

function circles(sources: readonly SourceFile[]): string[] {
  const arrows = new Map<string, string>()
  for (const { file, imports } of sources) {
    const from = path.posix.dirname(file)
    for (const to of imports) {
      const folder = path.posix.dirname(to)
      if (folder !== from) arrows.set(`${from} ${folder}`, `${file} imports ${to}`)
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
    const folder = path.posix.dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > mostFiles)
    .map(([folder, count]) => `${folder} holds ${count} source files; the most is ${mostFiles}`)
}
