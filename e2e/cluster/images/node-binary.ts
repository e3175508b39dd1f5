import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../host/run-command.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { cached } from '../tools/cached.ts'
import type { Say } from '../host/progress.ts'

/**
 * Answers the path of a Linux Node.js of the version in package.json, for images: npm publishes the binary itself as a
 * package, which spares a second source of downloads. On Linux it is the very binary that runs this.
 */
export async function nodeBinary({
  settings,
  say,
}: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const version = await wantedVersion()
  const key = `node-${version}-linux-${process.arch}`
  const what = `fetching Node.js ${version} for images`
  const folder = await cached(
    { key, what, usually: '5 to 20 s', settings, say },
    async (partial) => {
      await mkdir(partial, { recursive: true })
      if (process.platform === 'linux' && process.version === `v${version}`) {
        await copyFile(process.execPath, path.join(partial, 'node'))
        return
      }
      const packed = `node-linux-${process.arch}@${version}`
      const archive = (
        await runCommand('npm', ['pack', '--silent', packed], { cwd: partial })
      ).trim()
      await runCommand('tar', ['-xzf', archive, '--strip-components=2', 'package/bin/node'], {
        cwd: partial,
      })
      await rm(path.join(partial, archive))
    },
  )
  return path.join(folder, 'node')
}

async function wantedVersion(): Promise<string> {
  const file = path.join(import.meta.dirname, '../../../package.json')
  const version = /"node": "(24\.\d+\.\d+)"/.exec(await readFile(file, 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${file} has no exact version of the package node`)
  return version
}
