import type { Installation } from '../cluster/installation.ts'
import type { DatabaseFaults } from '../world/database-faults.ts'
import type { Host } from '../processes/host.ts'
import type { Kubelets } from '../cluster/kubelet.ts'
import type { OperatorProgram } from '../processes/operator-process.ts'
import type { Random } from '../../support/random.ts'
import type { World } from '../world/world.ts'

export interface Surroundings extends Installation {
  readonly world: World
  readonly database: DatabaseFaults
}

/** A fault acts at its time; false where there was nothing to act upon. */
export type Fault = (around: Surroundings, random: Random) => boolean

export function crash(host: Host<unknown> | undefined): boolean {
  if (host === undefined || host.running() === null) return false
  host.crash('killed')
  return true
}

export function leaderOf(
  operators: readonly Host<OperatorProgram>[],
): Host<OperatorProgram> | undefined {
  return operators.find((host) => host.running()?.program.isLeading() === true)
}

export function podToHit(kubelets: Kubelets, random: Random): string | null {
  const names = kubelets.running()
  return names.length === 0 ? null : random.pick(names)
}

/** One that has a row: an applied one without a finalizer and a row would be gone for good. */
export function commandToHit(
  { server }: World,
  random: Random,
): { commandId: string; kind: string; name: string } | null {
  const found = ['FfmpegCommand', 'StoredFile'].flatMap((kind) =>
    server.cluster.list(kind).flatMap(({ metadata, spec, status }) => {
      const isShown = kind === 'StoredFile' && typeof status?.['queuedAt'] === 'string'
      const commandId = spec?.['commandId'] ?? spec?.['fileId'] ?? (isShown ? metadata.uid : null)
      const isDeleting = metadata.deletionTimestamp !== undefined
      return typeof commandId === 'string' && !isDeleting
        ? [{ commandId, kind, name: metadata.name }]
        : []
    }),
  )
  return found.length === 0 ? null : random.pick(found)
}
