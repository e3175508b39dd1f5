import { createServer } from 'node:http'
import {
  containerSecurityContext,
  podSecurityContext,
} from '../../../operator/resources/containers.ts'
import { listenAt } from '../../../testing/support/http-server.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'

/**
 * Lower bound of any service on Kubernetes Jobs: a Job of two containers from the runner's image, the second of which
 * is a Node.js that makes one HTTP request. It has the working folder, the token and the security context of a runner: the
 * kubelet looks every 300 ms whether volumes are mounted, and runc compiles a seccomp profile for each container.
 */
export async function createBareJobs({ cluster, images, kube, kubectl }: BenchEnvironment) {
  const namespace = 'bench-peers'
  let heard: () => void = () => undefined
  const server = createServer((_request, response) => {
    heard()
    response.end()
  })
  const { url, close } = await listenAt(cluster.hostAddress, server)
  // Out of sight of the operator and of the chart's policies.
  await kubectl('create', 'namespace', namespace)
  let count = 0
  return {
    close,
    /** Creation of the Job to that request, in ms; returns after the pod's end. */
    async measure(): Promise<number> {
      count += 1
      const name = `bare-${count}`
      const request = Promise.withResolvers<void>()
      heard = request.resolve
      const begun = performance.now()
      const { metadata } = await kube.jobs.create(namespace, bareJob(name, images.runner.name, url))
      await request.promise
      const ms = performance.now() - begun
      await kubectl(
        '-n',
        namespace,
        'wait',
        `job/${name}`,
        '--for=condition=Complete',
        '--timeout=120s',
      )
      await kube.jobs.delete({ namespace, name, uid: metadata.uid })
      return ms
    },
  }
}

function bareJob(name: string, image: string, url: string): object {
  const token = { serviceAccountToken: { audience: 'bench', path: 'token' } }
  const container = (containerName: string, script: string): object => ({
    name: containerName,
    image,
    imagePullPolicy: 'IfNotPresent',
    args: ['-e', script],
    volumeMounts: ['link', 'token'].map((volume) => ({ name: volume, mountPath: `/${volume}` })),
    securityContext: containerSecurityContext,
  })
  const spec = {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    volumes: [
      { name: 'link', emptyDir: {} },
      { name: 'token', projected: { sources: [token] } },
    ],
    securityContext: podSecurityContext,
    containers: [
      // The container outlives the other's request, as the runner's containers do.
      container('first', 'setTimeout(() => {}, 500)'),
      container('second', `require('node:http').get('${url}', (answer) => answer.resume())`),
    ],
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { backoffLimit: 0, template: { spec } },
  }
}
