import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { addAptSource, aptGet } from '../host/apt.ts'
import { withProgress } from '../host/progress.ts'
import type { Say } from '../host/progress.ts'
import { runCommand, succeeds } from '../host/run-command.ts'
import { NoCluster } from '../host/types.ts'
import { withAptLock } from './debian-packages.ts'
import { findCommand, systemFolders } from './find-command.ts'

/** Go from this version on fetches the one that a go.mod requires (`GOTOOLCHAIN=auto`). */
const leastMinor = 21

/** Path of a Go that can build what is needed here; undefined where none is installed. */
export async function findGo(): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((each) => each !== '')
  const versioned = (await readdir('/usr/lib').catch(() => []))
    .filter((name) => /^go-1\.\d+$/.test(name))
    .map((name) => `/usr/lib/${name}/bin`)
  const usual = ['/usr/local/go/bin', '/usr/lib/go/bin', ...versioned]
  for (const folder of new Set([...folders, ...systemFolders, ...usual])) {
    const go = path.join(folder, 'go')
    if (isNewEnough(await versionOf(go))) return go
  }
  return undefined
}

/**
 * Installs Go with apt where there is none, or one that is too old.
 *
 * @throws NoCluster saying how to install it by hand.
 */
export async function ensureGo(say: Say): Promise<void> {
  if ((await findGo()) !== undefined) return
  await withAptLock(async () => {
    if ((await findGo()) === undefined) await installGo(say)
  })
}

async function installGo(say: Say): Promise<void> {
  if ((await findCommand('apt-get')) === undefined) throw noGo()
  await withProgress(say, { what: 'installing Go with apt', usually: '15 to 60 s' }, install)
  if ((await findGo()) === undefined) throw noGo()
}

async function install(onLine: (line: string) => void): Promise<void> {
  await aptGet(['update'], onLine)
  const suite = backportsSuite(await readFile('/etc/os-release', 'utf8').catch(() => ''))
  if (newestGoPackage(await goPackages()) === null && suite !== null) {
    // apt takes packages of backports only where nothing else has them.
    await addAptSource('backports', `deb http://deb.debian.org/debian ${suite} main`)
    await aptGet(['update'], onLine)
  }
  const found = newestGoPackage(await goPackages())
  if (found === null) throw noGo()
  await aptGet(['install', '-y', '--no-install-recommends', found, 'ca-certificates'], onLine)
}

/** The newest of apt's packages of single versions, such as `golang-1.24-go`; null if all are too old. */
export function newestGoPackage(names: readonly string[]): string | null {
  const minors = names
    .map((name) => Number(/^golang-1\.(\d+)-go$/.exec(name)?.[1] ?? 0))
    .filter((minor) => minor >= leastMinor)
  return minors.length === 0 ? null : `golang-1.${Math.max(...minors)}-go`
}

/** Debian's suite with newer packages; null on other systems, Ubuntu among them, whose releases have a Go that is new enough. */
export function backportsSuite(osRelease: string): string | null {
  const field = (name: string) => new RegExp(`^${name}="?([^"\n]+)`, 'm').exec(osRelease)?.[1]
  const codename = field('VERSION_CODENAME')
  return field('ID') === 'debian' && codename !== undefined ? `${codename}-backports` : null
}

/** @param version as `go env GOVERSION` prints it: `go1.26.0` */
export function isNewEnough(version: string): boolean {
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) === 1 && Number(minor) >= leastMinor
}

/** Empty where the program is missing. */
async function versionOf(go: string): Promise<string> {
  const args = ['env', 'GOVERSION']
  const how = { cwd: '/', env: { GOTOOLCHAIN: 'local' } }
  if (!(await succeeds(go, args, how))) return ''
  return (await runCommand(go, args, how)).trim()
}

async function goPackages(): Promise<string[]> {
  const found = await runCommand('apt-cache', ['pkgnames', 'golang-1.'])
  return found.split('\n')
}

function noGo(): NoCluster {
  return new NoCluster(
    `Go 1.${leastMinor} or newer is missing, to build Kubernetes once, and apt has none: install it from https://go.dev/dl/ and put its bin folder on PATH`,
  )
}
