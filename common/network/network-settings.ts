import type { SharedSettings } from '../settings/settings.ts'

/** host:port of what no URL of a user may reach: services of the release, those of the values, and the Kubernetes API. */
export function deniedEndpoints({ network }: Pick<SharedSettings, 'network'>): string[] {
  return [...network.ownEndpoints, ...network.denyEndpoints, ...(network.kubernetesApi ?? [])]
}

/** Whether a Role of the chart lets the servers read the addresses of the Kubernetes API in the namespace default. */
export function readsKubernetesApi({
  network,
  rbac,
}: Pick<SharedSettings, 'network' | 'rbac'>): boolean {
  return rbac.clusterRoles && network.kubernetesApi === null
}
