import { podAccess } from './pod-access.ts'
import type { KubeAccess } from './kube-access.ts'

/**
 * Uses the service account in a pod, and the kubeconfig elsewhere or with KUBECONFIG. client-node, which
 * reads kubeconfigs, takes 30 MB of memory: it is loaded where there is one.
 */
export async function accessFrom(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<KubeAccess> {
  const { KUBECONFIG: kubeconfig = '', KUBERNETES_SERVICE_HOST: host = '' } = environment
  if (kubeconfig === '' && host !== '') {
    return podAccess({ host, port: environment['KUBERNETES_SERVICE_PORT'] ?? '443' })
  }
  const { kubeconfigAccess } = await import('./kubeconfig-access.ts')
  return kubeconfigAccess()
}
