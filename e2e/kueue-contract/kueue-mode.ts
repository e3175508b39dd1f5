import { createLogger } from '../../common/runtime/logger.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { connectKube } from '../../testing/bench/cluster/kube.ts'
import { createContract } from './controller.ts'
import { workloadDefinition } from './workloads.ts'
import { watchRunnerPods } from './watch-pods.ts'
import type { Contract } from './controller.ts'
import type { RunnerPods } from './watch-pods.ts'
import { helmUpgrade, merge } from '../installation/install.ts'
import type { Environment } from '../steps/environment.ts'

/** The installation in Kueue mode, with the contract controller in this process. */
export interface KueueMode {
  readonly contract: Contract
  readonly runners: RunnerPods
  /** Ends the controller; the chart keeps its values. */
  stop(): Promise<void>
}

/** A pod of a machine whose processors are busy gets that long. */
const podsReady = { timeoutMs: 20_000, requeueMs: 2_000 }

/**
 * Queues `kueue-PLAN`, of which `pro` alone is there.
 * @param quotaVcpus of this queue
 */
export async function startKueueMode(env: Environment, quotaVcpus: number): Promise<KueueMode> {
  const { cluster, installed } = env
  const { client, close } = connectKube(cluster.kubeconfig)
  const effects = systemEffects()
  const { clock } = effects
  const logger = createLogger({ component: 'kueue-contract', level: 'warn', clock })
  const deps = { client, effects, logger }
  const priorityClasses = { low: 'batch', high: 'urgent' }
  const kueue = { enabled: true, queueName: 'kueue-{plan}', priorityClasses, readWorkloads: true }
  await env.apply(workloadDefinition)
  await env.kubectl(
    'wait',
    '--for=condition=Established',
    `crd/${workloadDefinition.metadata.name}`,
  )
  await helmUpgrade(cluster, installed.namespace, merge(installed.values, { queue: { kueue } }))
  const contract = createContract(deps, {
    namespace: installed.namespace,
    quotas: new Map([['kueue-pro', quotaVcpus]]),
    priorities: new Map(Object.entries({ batch: -10, urgent: 10 })),
    podsReady,
  })
  const runners = watchRunnerPods(deps, installed.namespace)
  const ending = new AbortController()
  const running = Promise.all([contract.run(ending.signal), runners.run(ending.signal)])
  return {
    contract,
    runners,
    async stop() {
      ending.abort(new Error('the story has ended'))
      await running
      await close()
    },
  }
}
