import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Metafile } from 'esbuild'

interface BundledPackage {
  readonly name: string
  readonly version: string
  /** SPDX expression of its package.json. */
  readonly licence: string
  readonly folder: string
}

/**
 * Writes `packages.tsv` with name, version and licence of each npm package, and each package's licence
 * files below `NAME@VERSION`: a bundle holds their code and none of their files.
 * @param packages folders, relative to `root`
 */
export async function writeLicences(
  target: string,
  root: string,
  packages: readonly string[],
): Promise<void> {
  const described = await Promise.all(packages.map((folder) => describe(path.join(root, folder))))
  const sorted = described.toSorted((a, b) => idOf(a).localeCompare(idOf(b)))
  await mkdir(target, { recursive: true })
  const rows = sorted.map(({ name, version, licence }) => `${name}\t${version}\t${licence}\n`)
  await writeFile(path.join(target, 'packages.tsv'), rows.join(''))
  for (const each of sorted) {
    const names = glob('{LICEN[CS]E,licen[cs]e,NOTICE,COPYING}*', { cwd: each.folder })
    for await (const file of names) {
      const destination = path.join(target, idOf(each), file)
      await cp(path.join(each.folder, file), destination, { recursive: true })
    }
  }
}

/** Folders of the packages whose code is in a bundle, relative to its working directory. */
export function bundledPackages(metafile: Metafile): string[] {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs: used }) => Object.keys(used))
  const folders = inputs.flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [],
  )
  return [...new Set(folders)]
}

const idOf = ({ name, version }: BundledPackage): string => `${name}@${version}`

async function describe(folder: string): Promise<BundledPackage> {
  const file = path.join(folder, 'package.json')
  const { name, version, license } = JSON.parse(await readFile(file, 'utf8')) as {
    name?: string
    version?: string
    license?: string
  }
  if (name === undefined || version === undefined || license === undefined) {
    throw new Error(`${file} must have a name, a version and a licence`)
  }
  return { name, version, licence: license, folder }
}
