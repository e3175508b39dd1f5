import { serverSeconds } from './installation-figures.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'
import type { Figure } from '../figure/figure.ts'

const idleMs = 15_000

/**
 * What the API server and the operator take of the processors without commands, and for each command beyond that: its
 * submission, polls, dispatch, admission, Job, reports, commit and deletion.
 * @param work runs `counted` commands, and ends when they are gone
 */
export async function serverProcessor<T>(
  { cluster, namespace }: BenchEnvironment,
  counted: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly figures: Figure[] }> {
  const idle = await taken(() => new Promise((resolve) => setTimeout(resolve, idleMs)))
  const busy = await taken(work)
  const idleShare = idle.cpu / idle.seconds
  return {
    result: busy.result,
    figures: [
      { name: 'cpu.servers.idle-per-second', value: idleShare * 1_000, unit: 'ms' },
      {
        ...{ name: 'cpu.servers.per-command', unit: 'ms', limit: 20 },
        value: ((busy.cpu - idleShare * busy.seconds) / counted) * 1_000,
      },
    ],
  }

  async function taken<R>(during: () => Promise<R>) {
    const before = await serverSeconds(cluster, namespace)
    const began = performance.now()
    const result = await during()
    const seconds = (performance.now() - began) / 1_000
    return { result, seconds, cpu: (await serverSeconds(cluster, namespace)) - before }
  }
}
