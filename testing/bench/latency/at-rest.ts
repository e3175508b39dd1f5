import { eventually } from '../../../e2e/steps/eventually.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'

/** No command, no Job and no runner's pod is left; checked by lists, which are not counted. */
export async function atRest({ kube, namespace }: BenchEnvironment): Promise<void> {
  const runners = { namespace, labelSelector: 'app.kubernetes.io/component=runner' }
  await eventually(
    'finished commands are gone',
    async () => {
      const left = await Promise.all([
        kube.commands.listPage({ namespace }),
        kube.jobs.listPage(runners),
        kube.pods.listPage(runners),
      ])
      return left.every(({ items }) => items.length === 0)
    },
    180,
  )
}
