import { mkdir, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aptGet } from '../host/apt.ts'
import { rootPrefix } from '../host/root-prefix.ts'
import { NoCluster } from '../host/types.ts'
import { runCommand } from '../host/run-command.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { cached, exists } from './cached.ts'
import { findCommand } from './find-command.ts'
import { withLock } from './lock.ts'
import { withProgress, type Say } from '../host/progress.ts'

/** Evidence of a package: a command, or a file by its absolute path. */
export type Need = readonly [evidence: string, debianPackage: string]

export const clusterNeeds: readonly Need[] = [
  ['containerd', 'containerd'],
  ['ctr', 'containerd'],
  ['runc', 'runc'],
  ['/usr/lib/cni/bridge', 'containernetworking-plugins'],
  ['nft', 'nftables'],
  ['iptables', 'iptables'],
  ['openssl', 'openssl'],
  ['ip', 'iproute2'],
  ['unshare', 'util-linux'],
]

export const imageNeeds: readonly Need[] = [
  ['buildah', 'buildah'],
  ['mmdebstrap', 'mmdebstrap'],
  ['/usr/share/keyrings/debian-archive-keyring.gpg', 'debian-archive-keyring'],
]

/** `buildah push` would compress the layers once more, with gzip. */
export const pushNeeds: readonly Need[] = [['skopeo', 'skopeo']]

/** Needs of the commands of README and guides, which people and tests run. */
export const shellNeeds: readonly Need[] = [
  ['curl', 'curl'],
  ['jq', 'jq'],
]

/** Needs of tests that use no cluster. */
export const testNeeds: readonly Need[] = [
  ['openssl', 'openssl'],
  ['/usr/sbin/pgbouncer', 'pgbouncer'],
]

export const browserNeeds: readonly Need[] = [['chromium', 'chromium']]

/**
 * Installs what is missing with apt, by sudo where we are not root.
 *
 * @throws NoCluster naming the missing commands and packages.
 */
export async function installMissing(needs: readonly Need[], say: Say): Promise<void> {
  if ((await missingNeeds(needs)).length === 0) return
  await withAptLock(() => install(needs, say))
}

/**
 * Answers a folder of the cache with the files of a Debian package, which is not installed: no service starts, and none of
 * its dependencies comes with it.
 *
 * @throws NoCluster where apt cannot download it.
 */
export async function unpackedPackage({
  name,
  settings,
  say,
}: {
  readonly name: string
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const what = `unpacking Debian's package ${name}`
  const key = `${name}-debian-${process.arch}`
  return cached({ key, what, usually: '2 to 20 s', settings, say }, async (partial, onLine) => {
    await mkdir(partial, { recursive: true })
    try {
      await withAptLock(() => download(name, partial, onLine))
      const archive = (await readdir(partial)).find((file) => file.endsWith('.deb'))
      await runCommand('dpkg-deb', ['-x', archive ?? name, '.'], { cwd: partial, onLine })
    } catch (cause) {
      const command = `apt-get download ${name}`
      throw new NoCluster(`${command} failed; it needs Debian or Ubuntu with package lists`, {
        cause,
      })
    }
  })
}

async function download(name: string, cwd: string, onLine: (line: string) => void): Promise<void> {
  // Others than root have the package lists of the last update.
  if (process.getuid?.() === 0) await aptGet(['update'], onLine)
  await runCommand('apt-get', ['download', name], { cwd, onLine })
}

/** Two processes that read the package lists at the same time: one of them fails, for apt does not wait here. */
export function withAptLock<T>(work: () => Promise<T>): Promise<T> {
  const lock = path.join(tmpdir(), `cloud-ffmpeg-apt-${process.getuid?.() ?? 0}.lock`)
  return withLock(lock, () => undefined, work)
}

async function install(needs: readonly Need[], say: Say): Promise<void> {
  const missing = await missingNeeds(needs)
  if (missing.length === 0) return
  const packages = [...new Set(missing.map(([, name]) => name))]
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  if ((await findCommand('apt-get')) === undefined || (await rootPrefix()) === null) {
    throw new NoCluster(
      `missing: ${missing.map(([evidence]) => evidence).join(', ')}. On Debian or Ubuntu, as root: ${command}. ` +
        'On other systems install the packages of the same content.',
    )
  }
  await withProgress(
    say,
    { what: `installing Debian packages: ${packages.join(' ')}`, usually: '15 to 40 s' },
    async (onLine) => {
      await aptGet(['update'], onLine)
      await aptGet(['install', '-y', '--no-install-recommends', ...packages], onLine)
    },
  )
  const still = await missingNeeds(needs)
  if (still.length > 0) {
    throw new NoCluster(
      `still missing after "${command}": ${still.map(([evidence]) => evidence).join(', ')}`,
    )
  }
}

async function missingNeeds(needs: readonly Need[]): Promise<Need[]> {
  const found = await Promise.all(
    needs.map(async ([evidence]) =>
      evidence.startsWith('/') ? exists(evidence) : (await findCommand(evidence)) !== undefined,
    ),
  )
  return needs.filter((_, index) => !found[index])
}
