import { isKubeError } from '../../../common/kubernetes/kube-error.ts'
import { microTime } from '../../../common/kubernetes/api-conventions.ts'
import type { Clock, Failpoint, FailpointName } from '../../../common/runtime/effects.ts'
import type { Lease } from '../../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../../common/kubernetes/resources/resource.ts'
import type { LeaderTiming } from './leader-timing.ts'
import {
  addressAnnotation,
  afterReading,
  gatewayAddress,
  holdingOf,
  isAbandoned,
  taking,
} from './observed-lease.ts'
import type { Holding, ObservedLease } from './observed-lease.ts'

/** One process's view of the Lease and its guarded writes to it. */
export interface LeaseRecord {
  /**
   * Takes the Lease if it is free or abandoned, if its holder has ended, or if it is ours already
   * by a write whose reply was lost.
   * @throws KubeError if the Lease can be neither written nor read
   */
  acquire(signal: AbortSignal): Promise<boolean>
  /**
   * False if another process holds it now.
   * @throws KubeError
   */
  renew(signal: AbortSignal): Promise<boolean>
  /** Empties the holder, so that a successor need not wait. */
  release(): Promise<void>
  /** Gateway address of the other process that held the Lease when it was last read; null: unknown. */
  holderAddress(): string | null
}

export interface LeaseRecordDeps {
  /** Uses a separate client, so that a burst of other calls cannot delay a renewal. */
  readonly leases: Resource<Lease>
  readonly namespace: string
  readonly name: string
  /** Unique per process, not only per pod: a restarted container is another holder. */
  readonly identity: string
  /** `IP:PORT` at which other pods reach this process's gateway; null: unknown. */
  readonly address: string | null
  /**
   * Whether the process with this identity is known to have ended, so that a candidate need not
   * wait for the end of its Lease. False if that cannot be read.
   */
  readonly hasEnded: (identity: string, signal: AbortSignal) => Promise<boolean>
  readonly clock: Clock
  readonly failpoint: Failpoint
  readonly timing: LeaderTiming
}

export function createLeaseRecord(deps: LeaseRecordDeps): LeaseRecord {
  const { leases, namespace, name, identity, clock, timing } = deps
  /** Part of each write, so that it is there again after a hand has removed it. */
  const advertised = addressAnnotation(deps.address, identity)
  let observed: ObservedLease | null = null

  return {
    async acquire(signal) {
      const lease = await readLease(signal)
      if (lease === null) return create(signal)
      if (!isOver() && !(await isUnheld(deps, lease, signal))) return false
      return write(lease, taking(lease, holding()), signal)
    },
    async renew(signal) {
      const known = observed?.lease
      if (known !== undefined && (await write(known, { renewTime: now() }, signal))) return true
      const lease = await readLease(signal)
      if (lease?.spec.holderIdentity !== identity) return false
      return write(lease, { renewTime: now() }, signal)
    },
    async release() {
      const free = { holderIdentity: '', leaseDurationSeconds: 1 }
      if (observed !== null) await write(observed.lease, free)
    },
    holderAddress: () =>
      observed === null || isOver() ? null : gatewayAddress(observed.lease, identity),
  }

  async function readLease(signal: AbortSignal): Promise<Lease | null> {
    const lease = await leases.get(namespace, name, callOptions(timing, signal))
    observed = lease === null ? null : afterReading(observed, lease, clock.monotonicMs())
    return lease
  }

  async function create(signal: AbortSignal): Promise<boolean> {
    const spec = { ...holding(), leaseTransitions: 0 }
    const lease = { ...kindOfLease, metadata: { name, namespace, ...advertised }, spec }
    try {
      return await written('leader.lease_written', () =>
        leases.create(namespace, lease, callOptions(timing, signal)),
      )
    } catch (error) {
      if (isKubeError(error, 'exists')) return false
      throw error
    }
  }

  /** False where the Lease has changed since it was read. */
  async function write(lease: Lease, spec: object, signal?: AbortSignal): Promise<boolean> {
    const { uid, resourceVersion } = lease.metadata
    try {
      const patch = { metadata: advertised, spec }
      const target = { namespace, name, uid, resourceVersion }
      return await written('leader.lease_written', () =>
        leases.mergePatch(target, patch, callOptions(timing, signal)),
      )
    } catch (error) {
      if (isKubeError(error, 'conflict', 'absent')) return false
      throw error
    }
  }

  async function written(name: FailpointName, send: () => Promise<Lease>): Promise<true> {
    const lease = await deps.failpoint(name, send)
    observed = afterReading(observed, lease, clock.monotonicMs())
    return true
  }

  function isOver(): boolean {
    return isAbandoned(observed, timing.leaseMs, clock.monotonicMs())
  }

  function holding(): Holding {
    return holdingOf(identity, timing.leaseMs, now())
  }

  function now(): string {
    return microTime(clock.wall())
  }
}

async function isUnheld(
  { identity, hasEnded }: LeaseRecordDeps,
  { spec: { holderIdentity } }: Lease,
  signal: AbortSignal,
): Promise<boolean> {
  if (holderIdentity === null || holderIdentity === identity) return true
  return hasEnded(holderIdentity, signal)
}

const kindOfLease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }

function callOptions({ deadlineMs }: LeaderTiming, signal?: AbortSignal): object {
  const options = { retry: false, deadlineMs }
  return signal === undefined ? options : { ...options, signal }
}
