import { readFile } from 'node:fs/promises'
import { NoCluster } from '../host/types.ts'
import { exists } from '../tools/cached.ts'

/**
 * Checks what only the machine's owner can change.
 *
 * @throws NoCluster naming kernel features that are missing and how to get them.
 */
export async function checkKernel(): Promise<void> {
  const fileSystems = await readFile('/proc/filesystems', 'utf8')
  const missing = [
    ...(/\boverlay$/m.test(fileSystems) ? [] : ['overlay']),
    ...((await exists('/proc/sys/net/bridge')) ? [] : ['br_netfilter']),
  ]
  if (missing.length > 0) {
    throw new NoCluster(
      `the kernel lacks ${missing.join(' and ')}: run "modprobe -a ${missing.join(' ')}" as root, outside of any container`,
    )
  }
}
