import { hash } from 'node:crypto'
import type { V1Container, V1PodSpec } from '@kubernetes/client-node'
import {
  labels,
  specHashAnnotation,
  warmRunnerJobName,
  vcpuCountAnnotation,
} from '../../common/domain/resource-names.ts'
import { commandLabels, keepRunning, ownedBy, podSpec, runnerLabels } from './job.ts'
import type { JobCommand, JobOwner, RunnerJob } from './job.ts'
import type { RunnerPod, RunnerSettings, WarmSettings } from './runner-settings.ts'
import { classLimits, containersOf, idleDisk, warmRunnerSize } from './warm-runner-size.ts'
import type { RunnerSize } from './warm-runner-size.ts'

/**
 * A runner without a command: the pod of a Job of its largest command, which waits at the gateway. Nothing
 * of an account is in it. With the operator gone it ends and vanishes by itself.
 */
export function warmRunnerJobFor(
  settings: RunnerSettings,
  warm: WarmSettings,
  number: number,
): RunnerJob {
  const spec = jobSpec(settings, warm)
  const poolHash = hashOf(spec)
  const podLabels = {
    ...settings.pod.labels,
    ...runnerLabels(settings),
    [labels.pool]: poolHash,
    [labels.warmRunner]: 'waiting',
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: warmRunnerJobName(poolHash, number),
      namespace: settings.namespace,
      labels: podLabels,
      ...(settings.pod.annotations === undefined ? {} : { annotations: settings.pod.annotations }),
    },
    spec: {
      ...spec,
      template: {
        metadata: {
          labels: podLabels,
          annotations: { ...evictable, ...settings.pod.annotations },
        },
        spec: spec.template.spec,
      },
    },
  }
}

/** Changes with the image and with every setting that a warm runner is made from: an older one gets no command. */
export function warmRunnerHash(settings: RunnerSettings, warm: WarmSettings): string {
  return hashOf(jobSpec(settings, warm))
}

/**
 * Labels and limits of an adopted Job, as a merge patch.
 * @param times.waitingSeconds its deadline while it waited: it has run for less, however long its pod took to start
 * @param times.ttlSeconds null until its outcome is recorded
 */
export function adoptedJob(
  command: JobCommand & { readonly vcpuCount: number },
  owner: JobOwner,
  { waitingSeconds, ttlSeconds }: Readonly<{ waitingSeconds: number; ttlSeconds: number | null }>,
): object {
  const { clocks } = command.limits
  const annotations = {
    [specHashAnnotation]: command.specHash,
    [vcpuCountAnnotation]: String(command.vcpuCount),
  }
  return {
    metadata: { labels: boundLabels(command), annotations, ownerReferences: [ownedBy(owner)] },
    spec: {
      // Counted by another host than the pod's, so no clock is compared.
      activeDeadlineSeconds:
        waitingSeconds + clocks.podDeadlineSeconds + clocks.startAllowanceSeconds,
      ttlSecondsAfterFinished: ttlSeconds,
    },
  }
}

/**
 * The same for its pod. The kubelet counts the deadline from the start of the pod, so the time that it
 * waited is added. The run cap is the supervisor's, and exact.
 */
export function adoptedPod(command: JobCommand, waitedSeconds: number, pod?: RunnerPod): object {
  const deadline =
    Math.ceil(waitedSeconds) + graceSeconds + command.limits.clocks.podDeadlineSeconds
  return {
    metadata: {
      labels: boundLabels(command),
      annotations: { ...keepRunning, ...pod?.annotations },
    },
    spec: { activeDeadlineSeconds: Math.min(deadline, longestSeconds) },
  }
}

/** Labels of the pod after the end of the command. */
export function labelledPod(command: JobCommand): object {
  return { metadata: { labels: boundLabels(command) } }
}

/** The part of a pod that its resize replaces. */
export function resizedPod(size: RunnerSize): object {
  const containers = containersOf(size).map(({ name, requests, limits }) => ({
    name,
    resources: { requests, limits },
  }))
  return { spec: { containers } }
}

/** Deadline of a Job of the pool, so that it ends by itself if the operator is gone. */
export function waitingDeadline(maxAgeSeconds: number): number {
  return 2 * maxAgeSeconds
}

/** The largest setting. */
export const longestAgeSeconds = 86_400
/** Seconds from the poll that the command answers to the first effect of this, with room for slow ones. */
const graceSeconds = 30
/** Kubernetes refuses a longer deadline of a pod. */
const longestSeconds = 2_147_483_647
/** A failed one is kept for a moment, for people who ask why. */
const ttlSeconds = 60

function jobSpec(settings: RunnerSettings, warm: WarmSettings) {
  return {
    parallelism: 1,
    completions: 1,
    completionMode: 'NonIndexed' as const,
    // A warm runner is never replaced by its Job: the next generation has a Job of its own.
    backoffLimit: 0,
    podReplacementPolicy: 'Failed',
    podFailurePolicy: {
      rules: [
        {
          action: 'FailJob',
          onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }],
        },
      ],
    },
    activeDeadlineSeconds: waitingDeadline(warm.maxAgeSeconds),
    ttlSecondsAfterFinished: ttlSeconds,
    template: { spec: warmRunnerPodSpec(settings, warm) },
  }
}

function warmRunnerPodSpec(settings: RunnerSettings, warm: WarmSettings): V1PodSpec {
  const clocks = { startAllowanceSeconds: 0, podDeadlineSeconds: 0, jobDeadlineSeconds: 0 }
  const limits = { ...classLimits(settings, warm), clocks }
  const size = warmRunnerSize(settings, warm)
  // A deadline can be set once, and not be moved: it follows with the command.
  const { activeDeadlineSeconds: _deadline, ...spec } = podSpec(limits, settings)
  return {
    ...spec,
    containers: spec.containers.map((container) =>
      warmRunnerContainer(container, size, warm.reserve),
    ),
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { [labels.warmRunner]: 'waiting' } },
      },
    ],
  }
}

function warmRunnerContainer(
  container: Readonly<V1Container>,
  size: RunnerSize,
  reserve: number,
): V1Container {
  const isTransfer = container.name === 'transfer'
  const { requests, limits } = size[isTransfer ? 'transfer' : 'ffmpeg']
  const { args = [], resources = {} } = container
  const disk = idleDisk(resources.requests?.['ephemeral-storage'], reserve)
  return {
    ...container,
    args: isTransfer ? [...args, '--warm-runner'] : args,
    resources: {
      limits: { ...resources.limits, ...limits },
      requests: { ...resources.requests, ...requests, 'ephemeral-storage': disk },
    },
    resizePolicy: [
      { resourceName: 'cpu', restartPolicy: 'NotRequired' },
      { resourceName: 'memory', restartPolicy: 'NotRequired' },
    ],
  }
}

function boundLabels(command: JobCommand): Record<string, string> {
  return { ...commandLabels(command), [labels.warmRunner]: 'bound' }
}

/** Drains and autoscalers take a waiting pod without asking; nothing is lost with it. */
const evictable = { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' }

function hashOf(spec: object): string {
  return hash('sha256', JSON.stringify(spec), 'hex').slice(0, 8)
}
