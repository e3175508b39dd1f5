import { gatewayAnnotation } from '../../../common/domain/resource-names.ts'
import type { Lease } from '../../../common/kubernetes/resources/objects.ts'

/** The Lease as it was read last. */
export interface ObservedLease {
  readonly lease: Lease
  /** When this process saw it first as it is now, on its monotonic clock. */
  readonly atMs: number
}

/** Only a change restarts the wait: the times in the Lease are another host's. */
export function afterReading(
  known: ObservedLease | null,
  lease: Lease,
  nowMs: number,
): ObservedLease {
  const { uid, resourceVersion } = lease.metadata
  const before = known?.lease.metadata
  const isSame = before?.uid === uid && before.resourceVersion === resourceVersion
  return known !== null && isSame ? known : { lease, atMs: nowMs }
}

/** Whether it has not changed for its duration. */
export function isAbandoned(
  observed: ObservedLease | null,
  leaseMs: number,
  nowMs: number,
): boolean {
  if (observed === null) return false
  const ownMs = (observed.lease.spec.leaseDurationSeconds ?? 0) * 1000
  return nowMs - observed.atMs >= Math.max(leaseMs, ownMs)
}

/** The fields of a Lease by which a process holds it from now on. */
export interface Holding {
  readonly holderIdentity: string
  readonly leaseDurationSeconds: number
  readonly acquireTime: string
  readonly renewTime: string
}

export function holdingOf(holderIdentity: string, leaseMs: number, now: string): Holding {
  const leaseDurationSeconds = Math.ceil(leaseMs / 1000)
  return { holderIdentity, leaseDurationSeconds, acquireTime: now, renewTime: now }
}

/** The fields of a Lease that changes hands, or stays with this holder. */
export function taking({ spec }: Lease, holding: Holding): object {
  const isOurs = spec.holderIdentity === holding.holderIdentity
  return { ...holding, leaseTransitions: spec.leaseTransitions + (isOurs ? 0 : 1) }
}

/** Tells followers where the gateway of the holder listens. */
export function addressAnnotation(address: string | null, identity: string): object {
  if (address === null) return {}
  return { annotations: { [gatewayAnnotation]: `${address} ${identity}` } }
}

/** Gateway address of the holder; null: it is this process, or has published none. */
export function gatewayAddress({ metadata, spec }: Lease, identity: string): string | null {
  const [address, holder] = metadata.annotations?.[gatewayAnnotation]?.split(' ') ?? []
  // A holder of an earlier release leaves the annotation of the one before it.
  const isTrue = holder === spec.holderIdentity && holder !== identity
  return isTrue && address !== '' ? (address ?? null) : null
}
