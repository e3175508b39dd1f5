import { kubectl } from '../../../e2e/installation/install.ts'
import { atRest } from './at-rest.ts'
import { pollUntilEnd, tinyCommand } from '../cluster/measure-command.ts'
import { requestCounts, requestsBetween, requestOwner } from './request-counts.ts'
import type { Say } from '../../../e2e/cluster/host/progress.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'
import type { Figure } from '../figure/figure.ts'
import type { RequestCounts } from './request-counts.ts'

interface Options {
  readonly environment: BenchEnvironment
  readonly counted: number
  readonly say: Say
}

/**
 * Requests to the Kubernetes API per command, from kube-apiserver's own counters: a command's whole
 * life, from its custom resource to the deletion of that, its Job and its pod. The limit of ours:
 * create the custom resource and the Job, two status patches, the Job's TTL, finalizer, deletion.
 */
export async function requestFigures({ environment, counted, say }: Options): Promise<Figure[]> {
  await atRest(environment)
  const before = await readCounts(environment)
  say(`counting API requests over ${counted} commands (usually 1 to 3 s each, then 20 s)`)
  for (let command = 0; command < counted; command += 1) {
    const { command_id } = await environment.client.submit(tinyCommand)
    await pollUntilEnd(environment.client, command_id)
  }
  await atRest(environment)
  const made = requestsBetween(before, await readCounts(environment))
  return [
    ...figuresOf('ours', made, counted, 7),
    ...figuresOf('events', made, counted),
    ...figuresOf('kubernetes', made, counted),
  ]
}

/** The sum, then what it is made of. */
function figuresOf(
  owner: NonNullable<ReturnType<typeof requestOwner>>,
  made: RequestCounts,
  counted: number,
  limit?: number,
): Figure[] {
  const parts = [...made]
    .filter(([request]) => requestOwner(request) === owner)
    .map(([request, count]) => ({ request, value: count / counted }))
    .toSorted((a, b) => b.value - a.value)
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  return [
    {
      name: `api-requests.${owner}`,
      value: total,
      unit: 'requests',
      ...(limit === undefined ? {} : { limit }),
    },
    ...parts.map(({ request, value }): Figure => ({
      name: `api-requests.${owner}.${request.replace(' ', ':')}`,
      value,
      unit: 'requests',
    })),
  ]
}

async function readCounts({ cluster }: BenchEnvironment): Promise<RequestCounts> {
  return requestCounts(await kubectl(cluster, ['get', '--raw', '/metrics']))
}
