import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { microTime } from './micro-time.ts'
import type { Lease } from '../../common/kubernetes/objects.ts'
import type { LeaderDeps } from './leader.ts'

/** One process's view of the Lease and its guarded writes to it. */
export interface LeaseRecord {
  /**
   * Takes the Lease where it is free, abandoned, or ours already by a write whose reply was lost.
   * @throws KubeError where nothing could be learnt
   */
  acquire(signal: AbortSignal): Promise<boolean>
  /**
   * False where somebody else holds it now.
   * @throws KubeError
   */
  renew(signal: AbortSignal): Promise<boolean>
  /** Empties the holder, so that a successor need not wait. */
  release(): Promise<void>
}

export function createLeaseRecord(
  deps: Pick<LeaderDeps, 'leases' | 'namespace' | 'name' | 'identity' | 'clock' | 'timing'>,
): LeaseRecord {
  const { leases, namespace, name, identity, clock, timing } = deps
  let observed: { lease: Lease; atMs: number } | null = null

  return {
    async acquire(signal) {
      const lease = await look(signal)
      if (lease === null) return create(signal)
      return isFree(lease) ? write(lease, takenFrom(lease), signal) : false
    },
    async renew(signal) {
      const known = observed?.lease
      if (known !== undefined && (await write(known, { renewTime: now() }, signal))) return true
      const lease = await look(signal)
      if (lease?.spec.holderIdentity !== identity) return false
      return write(lease, { renewTime: now() }, signal)
    },
    async release() {
      if (observed === null) return
      await write(observed.lease, { holderIdentity: '', leaseDurationSeconds: 1 })
    },
  }

  async function look(signal: AbortSignal): Promise<Lease | null> {
    const lease = await leases.get(namespace, name, calling(signal))
    if (lease === null) observed = null
    else observe(lease)
    return lease
  }

  /** Only a change starts the wait anew: the times in the Lease are another host's. */
  function observe(lease: Lease): void {
    const { uid, resourceVersion } = lease.metadata
    const known = observed?.lease.metadata
    if (known?.uid === uid && known.resourceVersion === resourceVersion) return
    observed = { lease, atMs: clock.monotonicMs() }
  }

  function isFree({ spec }: Lease): boolean {
    if (spec.holderIdentity === null || spec.holderIdentity === identity) return true
    const durationMs = Math.max(timing.leaseMs, (spec.leaseDurationSeconds ?? 0) * 1000)
    return observed !== null && clock.monotonicMs() - observed.atMs >= durationMs
  }

  function takenFrom({ spec }: Lease): object {
    const isOurs = spec.holderIdentity === identity
    return { ...holding(), leaseTransitions: spec.leaseTransitions + (isOurs ? 0 : 1) }
  }

  async function create(signal: AbortSignal): Promise<boolean> {
    try {
      const spec = { ...holding(), leaseTransitions: 0 }
      const metadata = { name, namespace }
      observe(await leases.create(namespace, { ...kindOfLease, metadata, spec }, calling(signal)))
      return true
    } catch (error) {
      if (isKubeError(error, 'exists')) return false
      throw error
    }
  }

  /** False where the Lease has changed since it was read. */
  async function write(lease: Lease, spec: object, signal?: AbortSignal): Promise<boolean> {
    const { uid, resourceVersion } = lease.metadata
    try {
      const target = { namespace, name, uid, resourceVersion }
      observe(await leases.mergePatch(target, { spec }, calling(signal)))
      return true
    } catch (error) {
      if (isKubeError(error, 'conflict', 'absent')) return false
      throw error
    }
  }

  function holding(): object {
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(timing.leaseMs / 1000),
      acquireTime: now(),
      renewTime: now(),
    }
  }

  /** A renewal without an answer must leave time for another one. */
  function calling(signal?: AbortSignal): object {
    const options = { retry: false, deadlineMs: (timing.stopMs - timing.renewMs) / 2 }
    return signal === undefined ? options : { ...options, signal }
  }

  function now(): string {
    return microTime(clock.wall())
  }
}

const kindOfLease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }
