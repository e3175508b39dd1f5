import { createServer } from 'node:http'
import {
  containerSecurityContext,
  podSecurityContext,
} from '../../../operator/resources/containers.ts'
import { listenAt } from '../../support/http-server.ts'
import type { Job } from '../../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../../common/kubernetes/resources/resource.ts'
import type { PodTimes } from './pod-times.ts'

/**
 * What no service on Kubernetes Jobs can undercut: a Job of two containers from the runner's image,
 * started side by side, the second of which is a Node.js that makes one HTTP request.
 */
export interface BareJobs {
  /**
   * Creation of the Job to that request, in ms; returns after the pod's end.
   * @param kind `as-a-runner`: with a working folder, a token and the security context that the
   * *restricted* Pod Security Standard requires, as every runner has them. The kubelet probes every
   * 300 ms whether a pod's volumes are mounted (podAttachAndMountRetryInterval), and the first time
   * they never are; runc compiles the runtime's seccomp profile for each container.
   */
  measure(kind: BareJobKind): Promise<number>
  close(): Promise<void>
}

export type BareJobKind = 'bare' | 'as-a-runner'

interface Deps {
  readonly jobs: Resource<Job>
  readonly podTimes: PodTimes
  readonly namespace: string
  readonly image: string
  /** Address at which pods find servers of this machine. */
  readonly hostAddress: string
}

export async function createBareJobs(deps: Deps): Promise<BareJobs> {
  const { jobs, podTimes, namespace, image, hostAddress } = deps
  let heard: (ms: number) => void = () => undefined
  const server = createServer((_request, response) => {
    heard(performance.now())
    response.end()
  })
  const { url, close } = await listenAt(hostAddress, server)
  let count = 0
  return {
    async measure(kind) {
      count += 1
      const name = `bare-${count}`
      const request = Promise.withResolvers<number>()
      heard = request.resolve
      const begun = performance.now()
      const { metadata } = await jobs.create(namespace, bareJob(name, kind, { image, url }))
      const ended = podTimes.ended(name)
      const heardMs = await Promise.race([request.promise, ended.then(() => Number.NaN)])
      if (Number.isNaN(heardMs)) throw new Error(`Job ${name} ended without its request`)
      await ended
      await jobs.delete({ namespace, name, uid: metadata.uid })
      return heardMs - begun
    },
    close,
  }
}

function bareJob(
  name: string,
  kind: BareJobKind,
  { image, url }: { readonly image: string; readonly url: string },
): object {
  const volumes = kind === 'bare' ? [] : ownVolumes
  const container = (containerName: string, script: string): object => ({
    name: containerName,
    image,
    imagePullPolicy: 'IfNotPresent',
    args: ['-e', script],
    volumeMounts: volumes.map((volume) => ({ name: volume.name, mountPath: `/${volume.name}` })),
    ...(kind === 'bare' ? {} : { securityContext: containerSecurityContext }),
  })
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      backoffLimit: 0,
      template: {
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          volumes,
          ...(kind === 'bare' ? {} : { securityContext: podSecurityContext }),
          containers: [
            // It outlives the other's request, as the runner's containers do.
            container('first', 'setTimeout(() => {}, 500)'),
            container('second', `require('node:http').get('${url}', (answer) => answer.resume())`),
          ],
        },
      },
    },
  }
}

const ownVolumes = [
  { name: 'link', emptyDir: {} },
  {
    name: 'token',
    projected: { sources: [{ serviceAccountToken: { audience: 'bench', path: 'token' } }] },
  },
]
