import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createDeployments } from '../../common/kubernetes/resources/deployments.ts'
import { createJobs } from '../../common/kubernetes/resources/jobs.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { createPods } from '../../common/kubernetes/resources/pods.ts'
import { accessFrom } from '../../common/kubernetes/access/access-from.ts'
import { createSystemTransport } from '../../common/kubernetes/system-transport.ts'
import { createWorkMetadata } from '../../common/kubernetes/resources/work-metadata.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { releaseByHand } from './release-objects.ts'
import { uninstall } from './uninstall.ts'

const usage = `main.ts --namespace NAMESPACE ... [--deployment NAMESPACE/NAME ...]
Stops the Deployments, deletes the Jobs of commands in each NAMESPACE and takes the service's finalizer off
FfmpegCommands and StoredFiles, so that NAMESPACE can be deleted. Rows and files stay. Without
--deployment, API server and operator must have been stopped before. Uses the service account of its
pod, or the kubeconfig of its user.`

/** `helm uninstall` gives up after five minutes by default. */
const boundMs = 120_000

process.exitCode = await main()

async function main(): Promise<number> {
  const leftovers = readArguments()
  if (leftovers === null) {
    console.error(usage)
    return 2
  }
  const effects = systemEffects()
  const { clock } = effects
  const begunMs = clock.monotonicMs()
  const say = (line: string): void => {
    console.log(`${((clock.monotonicMs() - begunMs) / 1000).toFixed(1)} s: ${line}`)
  }
  const transport = createSystemTransport({ clock, loadAccess: () => accessFrom(process.env) })
  const kube = createKubeClient({
    transport,
    clock,
    random: () => effects.random(),
    metrics: createKubeMetrics(new Registry()),
  })
  const bound = new AbortController()
  const cancel = clock.schedule(boundMs, () => {
    bound.abort(new Error(`it was not done within ${boundMs / 1000} s`))
  })
  try {
    const deps = {
      deployments: createDeployments(kube),
      pods: createPods(kube),
      jobs: createJobs(kube),
      kinds: createWorkMetadata(kube),
      effects,
      say,
    }
    await uninstall(deps, leftovers, bound.signal)
    return 0
  } catch (error) {
    console.error(`not released: ${error instanceof Error ? error.message : String(error)}`)
    console.error(releaseByHand(leftovers.namespaces))
    return 1
  } finally {
    cancel()
    await transport.close()
  }
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        namespace: { type: 'string', multiple: true, default: [] },
        deployment: { type: 'string', multiple: true, default: [] },
      },
    })
    if (values.namespace.length === 0) return null
    const deployments = values.deployment.map((text) => {
      const [namespace = '', name = ''] = text.split('/')
      return { namespace, name }
    })
    return { namespaces: values.namespace, deployments }
  } catch {
    return null
  }
}
