import { tmpdir } from 'node:os'
import path from 'node:path'
import { NoCluster } from '../host/types.ts'
import { runCommand } from '../host/run-command.ts'
import { exists } from './cached.ts'
import { findCommand } from './find-command.ts'
import { withLock } from './lock.ts'
import { withProgress, type Say } from '../host/progress.ts'

/** What shows that a package is there: a command, or a file by its absolute path. */
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

/** For the commands of README and guides, which people and tests run. */
export const shellNeeds: readonly Need[] = [
  ['curl', 'curl'],
  ['jq', 'jq'],
]

/** For tests that need no cluster. */
export const testNeeds: readonly Need[] = [
  ['openssl', 'openssl'],
  ['/usr/sbin/pgbouncer', 'pgbouncer'],
]

export const browserNeeds: readonly Need[] = [['chromium', 'chromium']]

/**
 * Installs what is missing with apt, where there is apt and we are root.
 *
 * @throws NoCluster naming the missing commands and packages.
 */
export async function installMissing(needs: readonly Need[], say: Say): Promise<void> {
  if ((await missingNeeds(needs)).length === 0) return
  // apt waits for no other apt that reads the package lists: two at a time, and one fails
  const lock = path.join(tmpdir(), `cloud-ffmpeg-apt-${process.getuid?.() ?? 0}.lock`)
  await withLock(
    lock,
    () => undefined,
    async () => install(needs, say),
  )
}

async function install(needs: readonly Need[], say: Say): Promise<void> {
  const missing = await missingNeeds(needs)
  if (missing.length === 0) return
  const packages = [...new Set(missing.map(([, name]) => name))]
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  const apt = await findCommand('apt-get')
  if (apt === undefined || process.getuid?.() !== 0) {
    throw new NoCluster(
      `missing: ${missing.map(([evidence]) => evidence).join(', ')}. On Debian or Ubuntu, as root: ${command}. ` +
        'On other systems install the packages of the same content.',
    )
  }
  await withProgress(
    say,
    { what: `installing Debian packages: ${packages.join(' ')}`, usually: '15 to 40 s' },
    async (onLine) => {
      // another apt may be at work: wait for its lock instead of failing
      const common = ['-o', 'DPkg::Lock::Timeout=300']
      const env = { DEBIAN_FRONTEND: 'noninteractive' }
      await runCommand(apt, [...common, 'update'], { env, onLine })
      const install = [...common, 'install', '-y', '--no-install-recommends', ...packages]
      await runCommand(apt, install, { env, onLine })
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
