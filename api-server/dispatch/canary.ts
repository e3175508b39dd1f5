import type { Effects } from '../../common/runtime/effects.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { FfmpegCommand, Lease } from '../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import { dispatchLeaseName } from '../../common/domain/resource-names.ts'
import { customResourceFor } from './resource/to-custom-resource.ts'
import type { Proof } from './row-failure.ts'

export interface CanaryDeps {
  readonly commands: Pick<Resource<FfmpegCommand>, 'dryRunCreate'>
  readonly leases: Pick<Resource<Lease>, 'create' | 'mergePatch'>
  readonly namespace: string
  readonly effects: Effects
}

export interface CanaryAnswer {
  readonly proof: Proof
  /** The cause if the proof is not `written`. */
  readonly error: unknown
}

/**
 * Checks whether the cluster would create a small command now: a dry run of its create, which passes
 * everything but etcd, and a write of one Lease, which proves that etcd accepts writes. Never rejects.
 */
export async function sendCanary(deps: CanaryDeps): Promise<CanaryAnswer> {
  const { effects, commands, namespace } = deps
  try {
    await effects.failpoint('dispatch.canary_sent', () =>
      commands.dryRunCreate(namespace, canaryObject, callOptions),
    )
  } catch (error) {
    // An object of this name exists, so the API server and etcd have answered.
    if (!isKubeError(error, 'exists'))
      return { proof: isRefusal(error) ? 'refused' : 'away', error }
  }
  try {
    await effects.failpoint('dispatch.canary_written', () => writeLease(deps))
    return { proof: 'written', error: null }
  } catch (error) {
    // Another replica was writing it at the same moment.
    if (isKubeError(error, 'conflict', 'exists')) return { proof: 'written', error: null }
    return { proof: isRefusal(error) ? 'accepted' : 'away', error }
  }
}

const callOptions = { deadlineMs: 5_000, retry: false }

/** Built like every command of the service, so that policies of the cluster apply alike. */
const canaryObject = customResourceFor({
  commandId: '00000000-0000-7000-8000-000000000000',
  accountName: 'default',
  dispatchKey: 'none: it is a dry run',
  environmentName: null,
  source: {
    commands: ['-i {{in_1}} {{out_1}}'],
    inputFiles: { in_1: 'https://media.example/in.mp4' },
    inputCompressedFolder: null,
    outputFiles: { out_1: 'out.mp4' },
  },
  vcpuCount: 1,
  maxRunSeconds: 60,
  isPrivate: false,
  priority: 'normal',
})

/** Reasons to refuse the canary but not commands: a policy, or a missing permission. */
function isRefusal(error: unknown): boolean {
  return isKubeError(error, 'invalid') || (isKubeError(error, 'forbidden') && error.status !== 401)
}

async function writeLease({ leases, namespace, effects }: CanaryDeps): Promise<void> {
  // A patch that changes nothing is not written to etcd.
  const spec = { holderIdentity: effects.newId() }
  try {
    await leases.mergePatch({ namespace, name: dispatchLeaseName }, { spec }, callOptions)
  } catch (error) {
    if (!isKubeError(error, 'absent')) throw error
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }
    const metadata = { name: dispatchLeaseName }
    await leases.create(namespace, { ...body, metadata, spec }, callOptions)
  }
}
