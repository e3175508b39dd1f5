import type { Condition, ContainerState, Pod } from '../../common/kubernetes/resources/objects.ts'
import { parsePodName } from '../../common/gateway/pod-name.ts'
import { scratchAnnotation } from '../../common/domain/resource-names.ts'
import { containerFacts } from './container-facts.ts'
import type { ContainerFacts } from './container-facts.ts'
import { podStart } from './pod-start.ts'
import type { PodStart } from '../../common/store/attempts.ts'
import { mbytes } from '../resources/quantity.ts'
import { sizeText } from '../resources/warm-runner-size.ts'
import { boundTo, isWarmRunner } from './warm-runner-labels.ts'
import { factMetadata } from './fact-metadata.ts'
import type { FactMetadata } from './fact-metadata.ts'

/** Fields of a runner's pod that the operator keeps. */
export interface PodFacts {
  readonly metadata: FactMetadata
  /** Null for a pod that only has our label. */
  readonly commandId: string | null
  readonly jobGeneration: number
  readonly phase: Pod['status']['phase']
  /** Reason for the pod as a whole: `Evicted`, `DeadlineExceeded`, ... */
  readonly reason: string | null
  readonly message: string
  /** The deletion was requested; the grace period is that of the containers. */
  readonly deletion: { readonly graceSeconds: number } | null
  /** Reason of a true DisruptionTarget condition: the infrastructure evicted the pod. */
  readonly disruption: string | null
  /** The scheduler's words while no node takes the pod. */
  readonly unschedulable: string | null
  readonly node: string | null
  readonly transfer: ContainerFacts | null
  readonly ffmpeg: ContainerFacts | null
  /** With which it was made, though settings may differ now; null where it does not show one. */
  readonly limits: { readonly memoryMbytes: number | null; readonly scratchMbytes: number | null }
  /** Waits before its first request; null while unknown, and for a warm runner. */
  readonly start: PodStart | null
  /** RFC 3339 in whole seconds, by the clocks of the control plane and of its node. */
  readonly times: {
    readonly created: string | null
    readonly scheduled: string | null
    /** Start of its container transfer. */
    readonly started: string | null
  }
  /** null for a pod that was made for its command. */
  readonly warmRunner: WarmRunnerPodFacts | null
}

/** Fields that the operator keeps of a pod that waited for its command, or still does. */
export interface WarmRunnerPodFacts {
  readonly job: { readonly name: string; readonly uid: string } | null
  /** The pod has the labels and the deadline of its command. */
  readonly isBound: boolean
  /**
   * Time from its `status.startTime`, where the kubelet begins to count its deadline, to the start of transfer, which
   * waits from then on: mostly the pull of the image. Two times of its node's clock, in whole seconds
   * rounded up. null: not started yet.
   */
  readonly startSeconds: number | null
  /** `sizeText` of its containers. */
  readonly size: string | null
  /** The node can change the size of the pod while it runs. */
  readonly isResizable: boolean
  /** Why its node has not changed its size yet. */
  readonly resizePending: { readonly reason: string; readonly message: string } | null
}

export function podFacts({ metadata, spec, status }: Pod): PodFacts {
  const warmRunner = warmRunnerOf({ metadata, spec, status })
  const name = warmRunner === null ? parsePodName(metadata.name) : boundTo(metadata)
  const disruption = conditionOf(status.conditions, 'DisruptionTarget')
  const scheduled = conditionOf(status.conditions, 'PodScheduled')
  const container = (wanted: string): ContainerFacts | null => {
    const found = status.containers.find(({ name }) => name === wanted)
    return found === undefined ? null : containerFacts(found.state)
  }
  return {
    metadata: factMetadata(metadata),
    commandId: name?.commandId ?? null,
    jobGeneration: name?.jobGeneration ?? 0,
    phase: status.phase,
    reason: status.reason,
    message: (status.message ?? '').slice(0, 500),
    deletion:
      metadata.deletionTimestamp === undefined
        ? null
        : { graceSeconds: metadata.deletionGracePeriodSeconds ?? 0 },
    disruption: disruption?.status === 'True' ? (disruption.reason ?? 'Unknown') : null,
    unschedulable: scheduled?.status === 'False' ? (scheduled.message ?? 'not scheduled') : null,
    node: spec.nodeName,
    transfer: container('transfer'),
    ffmpeg: container('ffmpeg'),
    limits: limitsOf({ metadata, spec }),
    start: warmRunner === null ? podStart(metadata, status.conditions) : null,
    times: {
      created: metadata.creationTimestamp ?? null,
      scheduled: scheduled?.status === 'True' ? scheduled.lastTransitionTime : null,
      started: startOf(status.containers.find(({ name: of }) => of === 'transfer')?.state),
    },
    warmRunner,
  }
}

function limitsOf({ metadata, spec }: Pick<Pod, 'metadata' | 'spec'>): PodFacts['limits'] {
  const memory = spec.containers.find(({ name }) => name === 'ffmpeg')?.limits['memory']
  const scratch = metadata.annotations?.[scratchAnnotation]
  return {
    memoryMbytes: memory === undefined ? null : mbytes(memory),
    scratchMbytes: scratch === undefined ? null : Number(scratch),
  }
}

function warmRunnerOf({ metadata, spec, status }: Pod): WarmRunnerPodFacts | null {
  if (!isWarmRunner(metadata)) return null
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  const pending = conditionOf(status.conditions, 'PodResizePending')
  return {
    job: owner === undefined ? null : { name: owner.name, uid: owner.uid },
    isBound: boundTo(metadata) !== null,
    startSeconds: startSecondsOf(status),
    size: sizeText(spec.containers),
    isResizable: status.containers.some(({ showsResources }) => showsResources),
    resizePending:
      pending?.status === 'True'
        ? { reason: pending.reason ?? 'Unknown', message: (pending.message ?? '').slice(0, 500) }
        : null,
  }
}

function startOf(state: ContainerState | undefined): string | null {
  return state === undefined || state.kind === 'waiting' ? null : state.startedAt
}

function startSecondsOf({ startTime, containers }: Pod['status']): number | null {
  const state = containers.find(({ name }) => name === 'transfer')?.state
  const startedAt = state?.kind === 'running' ? state.startedAt : null
  if (startTime === null || startedAt === null) return null
  const seconds = (Date.parse(startedAt) - Date.parse(startTime)) / 1_000
  // Kubernetes cuts both to whole seconds. A clock that was set back in between says nothing.
  return Number.isNaN(seconds) ? null : Math.max(0, seconds) + 1
}

/** Finished pods hold no CPU; a pod whose node is silent keeps its last phase. */
export function isTerminal({ phase }: Pick<PodFacts, 'phase'>): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

/**
 * The pod starts or works, and its deletion was not requested: there is nothing to do but to show it.
 */
export function isUndisturbed(pod: PodFacts): boolean {
  const containers = [pod.transfer, pod.ffmpeg]
  return (
    !isTerminal(pod) &&
    pod.deletion === null &&
    pod.disruption === null &&
    containers.every((container) => container?.state !== 'terminated')
  )
}

function conditionOf(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type)
}
