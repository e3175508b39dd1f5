import path from 'node:path'
import type { ClusterSettings } from '../host/settings.ts'
import type { Say } from '../host/progress.ts'
import { unpackedPackage } from './debian-packages.ts'

/**
 * Answers a folder with `prometheus` and `promtool`, from Debian's package: to compile them takes longer than all other tools
 * together.
 *
 * @throws NoCluster where the package cannot be had.
 */
export async function prometheusFolder(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  return path.join(await unpackedPackage({ name: 'prometheus', ...options }), 'usr/bin')
}
