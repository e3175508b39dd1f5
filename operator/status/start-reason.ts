import type { ContainerFacts } from '../observe/container-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { isSuspendedByQueue } from '../observe/job-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { Reason, WaitReason } from './reason.ts'

/** A Job that has no pod after so long is refused one: the Job controller makes it within a second. */
export const podlessSeconds = 10

/** Reason of a command whose Job has no pod, though it should. */
export const podRefused = 'PodRefused'

/** Why an admitted command has no runner yet. */
export function startReason(start: {
  readonly job: JobFacts | null
  /** Pods of the present generation, without the lost ones. */
  readonly pods: readonly PodFacts[]
  /** The API server's last refusal to create the Job, if it refused. */
  readonly refusal: Reason | null
  /** Why the Job controller could not create the pod; null: unknown. */
  readonly podRefusal: string | null
  readonly lostAttempts: number
  readonly maxAttempts: number
  readonly secondsWithoutPod: number
}): Reason {
  if (start.job !== null && isSuspendedByQueue(start.job)) return waitsForKueue
  const pod = start.pods.find((candidate) => !isTerminal(candidate))
  if (pod !== undefined) return podReason(pod)
  if (start.job === null && start.refusal !== null) return start.refusal
  if (start.lostAttempts > 0) {
    return {
      reason: 'RunnerLost',
      message: `${start.lostAttempts} of ${start.maxAttempts} runners were lost; the next one is on its way`,
    }
  }
  if (start.job === null) return { reason: 'Admitted', message: 'The Job is being created' }
  if (start.secondsWithoutPod >= podlessSeconds) {
    return {
      reason: podRefused,
      message:
        start.podRefusal ??
        'The Job has no pod: a ResourceQuota or an admission policy may refuse it; see the events of the Job',
    }
  }
  return { reason: 'JobCreated', message: 'The Job is created, its pod starts' }
}

const waitsForKueue: WaitReason = {
  reason: 'WaitingForKueue',
  message: 'The Job is suspended until Kueue admits it; its Workload says what it waits for',
}

const imageReasons = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']
const containerReasons = ['CreateContainerError', 'CreateContainerConfigError', 'RunContainerError']

function podReason(pod: PodFacts): Reason {
  if (pod.unschedulable !== null) return { reason: 'Unschedulable', message: pod.unschedulable }
  const stuck = waitingOf(pod).find(({ reason }) => imageReasons.includes(reason))
  if (stuck !== undefined) return { reason: 'ImagePull', message: sentence(stuck) }
  const broken = waitingOf(pod).find(({ reason }) => containerReasons.includes(reason))
  if (broken !== undefined) return { reason: 'ContainerError', message: sentence(broken) }
  return { reason: 'JobCreated', message: 'The pod starts' }
}

/** The runner's image can never be pulled: waiting would not help. */
export function hasInvalidImage(pods: readonly PodFacts[]): boolean {
  return pods.some((pod) => waitingOf(pod).some(({ reason }) => reason === 'InvalidImageName'))
}

type Waiting = Extract<ContainerFacts, { state: 'waiting' }>

function waitingOf(pod: PodFacts): Waiting[] {
  return [pod.transfer, pod.ffmpeg].filter((container) => container?.state === 'waiting')
}

function sentence({ reason, message }: Waiting): string {
  return message === '' ? reason : `${reason}: ${message}`
}
