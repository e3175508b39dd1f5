import { isKubeError } from '../kube-error.ts'
import { objectIn, objectOf, optionalTextIn } from '../read-json.ts'
import type { KubeClient } from '../client.ts'
import type { CallOptions } from './resource.ts'

export interface Deployments {
  /**
   * Sets the number of replicas, and nothing else: the right to do so can be given without that of
   * changing what its pods run.
   * @returns the label selector of its pods; null if the Deployment does not exist
   */
  scale(
    target: { readonly namespace: string; readonly name: string },
    replicas: number,
    options?: CallOptions,
  ): Promise<{ readonly selector: string } | null>
}

export function createDeployments(client: KubeClient): Deployments {
  return {
    async scale({ namespace, name }, replicas, options = {}) {
      const deployments = `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/deployments`
      try {
        const scale = await client.call({
          retry: true,
          ...options,
          kind: 'Deployment',
          verb: 'patch',
          method: 'PATCH',
          path: `${deployments}/${encodeURIComponent(name)}/scale`,
          body: { spec: { replicas } },
          contentType: 'application/merge-patch+json',
        })
        const status = objectIn(objectOf(scale, 'Scale'), 'status')
        return { selector: optionalTextIn(status, 'selector') ?? '' }
      } catch (error) {
        if (isKubeError(error, 'absent')) return null
        throw error
      }
    },
  }
}
