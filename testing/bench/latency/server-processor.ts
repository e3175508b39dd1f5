import { servers, serverSeconds } from './installation-figures.ts'
import type { Server } from './installation-figures.ts'
import { steadyLoad } from './steady-load.ts'
import { median } from '../figure/statistics.ts'
import type { Say } from '../../../e2e/cluster/host/progress.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'
import type { Figure } from '../figure/figure.ts'

const idleMs = 15_000

interface Round {
  readonly seconds: number
  readonly cpu: Readonly<Record<Server, number>>
}

/**
 * What the API server and the operator take of the processors without commands, and for each command of a steady load
 * beyond that: its submission, dispatch, admission, Job, reports, commit and deletion. Medians of rounds; the first one,
 * in which the programs are compiled, is dropped.
 */
export async function serverProcessor(
  environment: BenchEnvironment,
  { rounds, commands }: { readonly rounds: number; readonly commands: number },
  say: Say,
): Promise<Figure[]> {
  const idle = await measure(() => new Promise((resolve) => setTimeout(resolve, idleMs)))
  const measured: Round[] = []
  for (let round = 0; round <= rounds; round += 1) {
    say(`steady load ${round} of ${rounds}: ${commands} commands (usually 1 s each, then 10 s)`)
    measured.push(await measure(() => steadyLoad(environment, commands)))
  }
  const idleOf = (server: Server): number => idle.cpu[server] / idle.seconds
  const each = measured.slice(1).map(
    ({ seconds, cpu }) =>
      (server: Server) =>
        ((cpu[server] - idleOf(server) * seconds) / commands) * 1_000,
  )
  return [
    ...servers.map((server): Figure => ({
      name: `cpu.${server}.idle-per-second`,
      unit: 'ms',
      value: idleOf(server) * 1_000,
    })),
    ...servers.map((server): Figure => ({
      name: `cpu.${server}.per-command`,
      unit: 'ms',
      value: median(each.map((of) => of(server))),
    })),
    {
      name: 'cpu.servers.per-command',
      unit: 'ms',
      limit: 20,
      value: median(each.map((of) => servers.reduce((sum, server) => sum + of(server), 0))),
    },
  ]

  async function measure(during: () => Promise<void>): Promise<Round> {
    const { cluster, namespace } = environment
    const before = await serverSeconds(cluster, namespace)
    const began = performance.now()
    await during()
    const seconds = (performance.now() - began) / 1_000
    const after = await serverSeconds(cluster, namespace)
    const used = (server: Server): number => after[server] - before[server]
    return { seconds, cpu: { 'api-server': used('api-server'), operator: used('operator') } }
  }
}
