import { parseArgs } from 'node:util'
import { NoCluster } from '../../local-cluster/host/types.ts'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import type { ClusterSettings } from '../../local-cluster/host/settings.ts'

/** The environment's settings; `--cluster local|kind|kubeconfig` takes precedence over E2E_CLUSTER. */
export function chosenSettings(args: string[]): ClusterSettings {
  const { values } = parseArgs({ args, options: { cluster: { type: 'string' } } })
  const chosen = values.cluster === undefined ? {} : { E2E_CLUSTER: values.cluster }
  return clusterSettings({ ...process.env, ...chosen })
}

/** Prints the message alone, which says what is missing and how to get it, without a stack. */
export function endWithoutCluster(error: unknown): never {
  if (!(error instanceof NoCluster)) throw error
  console.error(error.message)
  process.exit(1)
}
