import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../host/run-command.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { cached, exists } from '../tools/cached.ts'
import type { Say } from '../host/progress.ts'
import { withoutSymbols } from './without-symbols.ts'

/**
 * Answers a folder with a Linux Node.js of the version in package.json as `bin/node`, without its
 * symbols, and its LICENSE. npm publishes the binary itself as a package, which spares a second
 * source of downloads; on Linux it is installed already.
 */
export async function nodeBinary({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const version = await wantedVersion()
  const name = `node-linux-${process.arch}`
  const key = `${name}-${version}-without-symbols`
  const what = `preparing Node.js ${version} for images`
  return cached({ key, what, usually: '1 to 20 s', settings, say }, async (partial) => {
    await mkdir(path.join(partial, 'bin'), { recursive: true })
    const fetched = path.join(partial, 'package')
    const installed = path.join(repository, 'node_modules/node/node_modules', name)
    const isInstalled = await exists(path.join(installed, 'LICENSE'))
    if (!isInstalled) await fetchPackage(`${name}@${version}`, partial)
    const source = isInstalled ? installed : fetched
    const program = withoutSymbols(await readFile(path.join(source, 'bin/node')))
    await writeFile(path.join(partial, 'bin/node'), program, { mode: 0o755 })
    await copyFile(path.join(source, 'LICENSE'), path.join(partial, 'LICENSE'))
    await rm(fetched, { recursive: true, force: true })
  })
}

/** Answers the path of the program `node` of another version, for tests of what users run on theirs. */
export async function nodeOfVersion(
  version: string,
  { settings, say }: { readonly settings: ClusterSettings; readonly say: Say },
): Promise<string> {
  const name = `node-linux-${process.arch}`
  const how = {
    key: `${name}-${version}`,
    what: `fetching Node.js ${version}`,
    usually: '2 to 20 s',
  }
  const folder = await cached({ ...how, settings, say }, async (partial) => {
    await mkdir(partial, { recursive: true })
    await fetchPackage(`${name}@${version}`, partial)
  })
  return path.join(folder, 'package/bin/node')
}

/** Unpacks it as `package/`. */
async function fetchPackage(name: string, folder: string): Promise<void> {
  const packed = await runCommand('npm', ['pack', '--silent', name], { cwd: folder })
  const archive = packed.trim()
  const wanted = ['package/bin/node', 'package/LICENSE']
  await runCommand('tar', ['-xzf', archive, ...wanted], { cwd: folder })
  await rm(path.join(folder, archive))
}

async function wantedVersion(): Promise<string> {
  const file = path.join(repository, 'package.json')
  const version = /"node": "(24\.\d+\.\d+)"/.exec(await readFile(file, 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${file} has no exact version of the package node`)
  return version
}

const repository = path.join(import.meta.dirname, '../..')
