import { rm } from 'node:fs/promises'
import { hasCode } from '../host/has-code.ts'
import type { Instance } from '../host/instance.ts'
import { endGroup } from '../host/processes.ts'
import { waitFor } from '../host/wait-for.ts'
import { removeCgroups } from './cgroups.ts'
import { localLayout } from './layout.ts'
import { removeNetwork } from './network.ts'
import { stopNode } from './node.ts'

/** Ends and removes everything of a local cluster, from any state. */
export async function stopLocalCluster(instance: Instance): Promise<void> {
  const layout = localLayout(instance)
  // the node first: its mounts below the folder end with it
  await stopNode(layout)
  await endGroup(layout)
  await removeNetwork(instance)
  await removeCgroups(instance)
  await waitFor(() => removed(layout.folder), {
    what: `the mounts below ${layout.folder} to be gone`,
  })
}

/** Held while an instance is started or stopped. Beside its folder, which stopping removes. */
export function lockFile(instance: Instance): string {
  return `${instance.runFolder}.lock`
}

async function removed(folder: string): Promise<boolean> {
  try {
    await rm(folder, { recursive: true, force: true })
    return true
  } catch (error) {
    if (hasCode(error, 'EBUSY')) return false
    throw error
  }
}
