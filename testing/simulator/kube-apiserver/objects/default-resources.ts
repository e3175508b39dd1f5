import {
  apiGroup,
  apiVersion,
  commandKind,
  commandPlural,
  storedFileKind,
  storedFilePlural,
} from '../../../../common/domain/resource-names.ts'
import { sameJson } from './fake-object.ts'
import type { FakeObject, ResourceDefinition } from './fake-object.ts'

/** The kinds that the product touches. */
export const defaultResources: readonly ResourceDefinition[] = [
  {
    kind: commandKind,
    apiVersion: `${apiGroup}/${apiVersion}`,
    plural: commandPlural,
    hasStatus: true,
    refuse: immutableSpec,
  },
  {
    kind: storedFileKind,
    apiVersion: `${apiGroup}/${apiVersion}`,
    plural: storedFilePlural,
    hasStatus: true,
    refuse: immutableSpec,
  },
  { kind: 'Deployment', apiVersion: 'apps/v1', plural: 'deployments', hasStatus: true },
  { kind: 'Job', apiVersion: 'batch/v1', plural: 'jobs', hasStatus: true },
  {
    kind: 'Pod',
    apiVersion: 'v1',
    plural: 'pods',
    hasStatus: true,
    graceSeconds: podGraceSeconds,
    refuse: laterDeadline,
  },
  { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', plural: 'leases', hasStatus: false },
  { kind: 'Event', apiVersion: 'events.k8s.io/v1', plural: 'events', hasStatus: false },
]

function immutableSpec(next: FakeObject, previous: FakeObject | null): string | null {
  return previous !== null && !sameJson(withoutCancel(next), withoutCancel(previous))
    ? 'spec is immutable but for cancel'
    : null
}

/** A deadline of a pod can be set once, and be made shorter. */
function laterDeadline({ spec }: FakeObject, previous: FakeObject | null): string | null {
  const before = previous?.spec?.['activeDeadlineSeconds']
  if (typeof before !== 'number') return null
  const now = spec?.['activeDeadlineSeconds']
  return typeof now === 'number' && now <= before
    ? null
    : 'activeDeadlineSeconds: must be less than or equal to the previous value'
}

function withoutCancel({ spec }: FakeObject): object {
  return { ...spec, cancel: null }
}

/** A pod without a node has no kubelet to end it gracefully; a finished one nothing to end. */
function podGraceSeconds({ spec, status }: FakeObject): number {
  const phase = status?.['phase']
  if (spec?.['nodeName'] === undefined || phase === 'Succeeded' || phase === 'Failed') return 0
  const grace = spec['terminationGracePeriodSeconds']
  return typeof grace === 'number' ? grace : 30
}
