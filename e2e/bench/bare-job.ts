import { createServer } from 'node:http'
import type { Job } from '../../common/kubernetes/objects.ts'
import type { Resource } from '../../common/kubernetes/resource.ts'
import { listenAt } from '../listen-at.ts'
import type { PodTimes } from './pod-times.ts'

/**
 * What no service on Kubernetes Jobs can undercut: a Job of two containers from the runner's image,
 * started side by side, the second of which is a Node.js that makes one HTTP request.
 */
export interface BareJobs {
  /**
   * Creation of the Job to that request, in ms; returns after the pod's end.
   * @param volumes `own`: a working folder and a token, as every runner has. The kubelet asks every
   * 300 ms whether a pod's volumes are mounted (podAttachAndMountRetryInterval), and the first time
   * they never are; a pod without any is not held up.
   */
  measure(volumes: BareJobVolumes): Promise<number>
  close(): Promise<void>
}

export type BareJobVolumes = 'none' | 'own'

interface Deps {
  readonly jobs: Resource<Job>
  readonly podTimes: PodTimes
  readonly namespace: string
  readonly image: string
  /** Where pods find servers of this machine. */
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
    async measure(volumes) {
      count += 1
      const name = `bare-${count}`
      const request = Promise.withResolvers<number>()
      heard = request.resolve
      const begun = performance.now()
      const { metadata } = await jobs.create(namespace, bareJob(name, volumes, { image, url }))
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
  volumes: BareJobVolumes,
  { image, url }: { readonly image: string; readonly url: string },
): object {
  const mounted = volumes === 'own' ? ownVolumes : []
  const container = (containerName: string, script: string): object => ({
    name: containerName,
    image,
    imagePullPolicy: 'IfNotPresent',
    args: ['-e', script],
    volumeMounts: mounted.map((volume) => ({ name: volume.name, mountPath: `/${volume.name}` })),
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
          volumes: mounted,
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
