import { kubectl } from '../../../e2e/installation/install.ts'
import { watchArrivals } from './arrivals.ts'
import { createBareJobs } from './bare-job.ts'
import { idleMachine } from './idle-machine.ts'
import { measureCommand } from './measure-command.ts'
import { watchPodTimes } from './pod-times.ts'
import type { Say } from '../../../e2e/cluster/host/progress.ts'
import type { BareJobKind } from './bare-job.ts'
import type { BenchEnvironment } from './environment.ts'
import type { CommandTimes } from './measure-command.ts'

export interface LatencyPair {
  readonly command: CommandTimes
  /** A bare Job, from its creation to the first request of its second container, in ms. */
  readonly floor: number
  /** The same of one with a runner's kinds of volumes and its security context. */
  readonly floorOfRunner: number
}

/**
 * One at a time, in the order A B C C B A: changes over the minutes affect both alike.
 */
export async function measureLatency({
  environment,
  pairs,
  say,
}: {
  readonly environment: BenchEnvironment
  readonly pairs: number
  readonly say: Say
}): Promise<LatencyPair[]> {
  const { client, cluster, images, kube, namespace, peerNamespace } = environment
  const podTimes = await watchPodTimes(kube.pods, namespace)
  const resources = await watchArrivals(kube.commands, namespace)
  const jobs = await watchArrivals(kube.jobs, namespace)
  const peerTimes = await watchPodTimes(kube.pods, peerNamespace)
  const bare = await createBareJobs({
    jobs: kube.jobs,
    podTimes: peerTimes,
    namespace: peerNamespace,
    image: images.runner.name,
    hostAddress: cluster.hostAddress,
  })
  const transferLog = (pod: string): Promise<string> =>
    kubectl(cluster, ['-n', namespace, 'logs', pod, '-c', 'transfer'])
  async function command(): Promise<CommandTimes> {
    await idleMachine()
    return measureCommand({ client, podTimes, resources, jobs, transferLog })
  }
  async function bareJob(kind: BareJobKind): Promise<number> {
    await idleMachine()
    return bare.measure(kind)
  }
  try {
    const measured: LatencyPair[] = []
    for (let pair = 0; pair < pairs; pair += 1) {
      say(`pair ${pair + 1} of ${pairs} (usually 6 to 12 s)`)
      if (pair % 2 === 0) {
        const times = await command()
        const floor = await bareJob('bare')
        const floorOfRunner = await bareJob('as-a-runner')
        measured.push({ command: times, floor, floorOfRunner })
      } else {
        const floorOfRunner = await bareJob('as-a-runner')
        const floor = await bareJob('bare')
        measured.push({ command: await command(), floor, floorOfRunner })
      }
    }
    return measured
  } finally {
    podTimes.close()
    resources.close()
    jobs.close()
    peerTimes.close()
    await bare.close()
  }
}
