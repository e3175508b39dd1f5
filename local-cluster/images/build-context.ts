import { createHash, type Hash } from 'node:crypto'
import { cp, lstat, mkdir, readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'

export interface BuildContext {
  /** Absolute folder that `inputs` are relative to. */
  readonly context: string
  /** Files and folders that the build may see, at the same place. Tests are left out. */
  readonly inputs: readonly string[]
  /** More of them: the name in the context and the absolute path on this machine. */
  readonly extra?: Readonly<Record<string, string>>
}

/**
 * Hash of everything that the context holds. What lies in the cache is not read: its path carries a hash already, and
 * hashing a Node.js binary and thousands of modules for every start would take seconds.
 */
export async function hashContext(build: BuildContext, cacheFolder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const { source, name } of entries(build)) {
    if (source.startsWith(`${cacheFolder}${path.sep}`)) hash.update(`${name}\0${source}\0`)
    else await hashTree(hash, source, name)
  }
  return hash.digest('hex')
}

/** Copies the context together: the build sees what is hashed and no other file of the work tree. */
export async function assembleContext(build: BuildContext, target: string): Promise<void> {
  for (const { source, name } of entries(build)) {
    const destination = path.join(target, name)
    await mkdir(path.dirname(destination), { recursive: true })
    await cp(source, destination, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !isTest(file),
    })
  }
}

function entries({
  context,
  inputs,
  extra = {},
}: BuildContext): { name: string; source: string }[] {
  return [
    ...inputs.map((name) => ({ name, source: path.join(context, name) })),
    ...Object.entries(extra).map(([name, source]) => ({ name, source })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

async function hashTree(hash: Hash, file: string, name: string): Promise<void> {
  const stat = await lstat(file)
  if (stat.isDirectory()) {
    for (const entry of (await readdir(file)).toSorted()) {
      await hashTree(hash, path.join(file, entry), `${name}/${entry}`)
    }
  } else if (stat.isSymbolicLink()) {
    hash.update(`${name}\0link\0${await readlink(file)}\0`)
  } else if (!isTest(file)) {
    // the executable bit is all of the mode that git keeps and an image shows
    hash.update(`${name}\0${(stat.mode & 0o100) === 0 ? 'file' : 'program'}\0${stat.size}\0`)
    hash.update(await readFile(file))
  }
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts')
}
