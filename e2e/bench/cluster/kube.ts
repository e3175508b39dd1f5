import { KubeConfig } from '@kubernetes/client-node'
import { createKubeClient } from '../../../common/kubernetes/client.ts'
import { createFfmpegCommands } from '../../../common/kubernetes/resources/ffmpeg-commands.ts'
import { createJobs } from '../../../common/kubernetes/resources/jobs.ts'
import { createLeases } from '../../../common/kubernetes/resources/leases.ts'
import { createPods } from '../../../common/kubernetes/resources/pods.ts'
import { kubeconfigAccess } from '../../../common/kubernetes/access/kubeconfig-access.ts'
import { createSystemTransport } from '../../../common/kubernetes/system-transport.ts'
import { systemClock } from '../../../common/runtime/system-effects.ts'
import type { KubeClient } from '../../../common/kubernetes/client.ts'
import type {
  FfmpegCommand,
  Job,
  Lease,
  Pod,
} from '../../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../../common/kubernetes/resources/resource.ts'

/** The cluster's objects through one kept connection: a kubectl takes longer to start than a pod. */
export interface Kube {
  readonly commands: Resource<FfmpegCommand>
  readonly jobs: Resource<Job>
  readonly leases: Resource<Lease>
  readonly pods: Resource<Pod>
  close(): Promise<void>
}

export function createKube(kubeconfig: string): Kube {
  const { client, close } = connectKube(kubeconfig)
  return {
    commands: createFfmpegCommands(client),
    jobs: createJobs(client),
    leases: createLeases(client),
    pods: createPods(client),
    close,
  }
}

/** Client of a benchmark that creates objects of its own kinds. */
export function connectKube(kubeconfig: string): {
  readonly client: KubeClient
  readonly close: () => Promise<void>
} {
  const transport = createSystemTransport({
    clock: systemClock,
    async loadAccess() {
      const config = new KubeConfig()
      config.loadFromFile(kubeconfig)
      return kubeconfigAccess(config)
    },
  })
  const client = createKubeClient({
    transport,
    clock: systemClock,
    random: Math.random,
    metrics: { answered: () => undefined, waited: () => undefined },
  })
  return { client, close: () => transport.close() }
}
