import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { hasCode } from '../../common/runtime/error-code.ts'

/** File list that the builder of the site writes. */
interface Manifest {
  /** Sources of a policy that allow the inline scripts and styles of its pages. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** The site as `npm run build-console` writes it. */
export interface DocsFiles extends Manifest {
  /** Whether the site has this file, by its path in it. */
  has(name: string): boolean
  /** Read anew for each request: the site is large for its visitors. */
  read(name: string, coding: 'gzip' | 'identity'): Promise<Buffer>
}

/** @returns null where the site has not been built */
export function readDocsFiles(folder: string): DocsFiles | null {
  const manifest = readManifest(path.join(folder, 'manifest.json'))
  if (manifest === null) return null
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))),
  )
  return {
    ...manifest,
    // Each file that may be served has its compressed form beside it.
    has: (name) => names.has(name) && names.has(`${name}.gz`),
    read: (name, coding) => readFile(path.join(folder, coding === 'gzip' ? `${name}.gz` : name)),
  }
}

function readManifest(file: string): Manifest | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
