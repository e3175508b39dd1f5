import type {
  V1Job,
  V1JobSpec,
  V1ObjectMeta,
  V1OwnerReference,
  V1PodSpec,
  V1Toleration,
} from '@kubernetes/client-node'
import {
  apiGroup,
  apiVersion,
  jobName,
  labels,
  labelValue,
  managedBy,
  scratchAnnotation,
  specHashAnnotation,
} from '../../common/domain/resource-names.ts'
import type { Priority } from '../../common/domain/priority.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import { containersFor, podSecurityContext } from './containers.ts'
import { podFailurePolicy } from './failure-policy.ts'
import { queueLabels } from './kueue.ts'
import type { RunnerLimits } from './limits.ts'
import { profileLabels, settingsFor } from './profiles.ts'
import type { RunnerSettings } from './runner-settings.ts'
import { volumesFor } from './volumes.ts'

/** Facts of a command that its Job shows: permission to read Jobs reveals nothing else. */
export interface JobCommand {
  readonly commandId: string
  readonly accountName: string
  readonly accountPlan: string
  /** See `ReconcileRow`. */
  readonly spotLosses: number
  readonly priority: Priority
  /** Number from 1; the Job's name ends in it. */
  readonly jobGeneration: number
  readonly specHash: string
  readonly limits: RunnerLimits
}

export interface RunnerJob extends V1Job {
  readonly metadata: V1ObjectMeta & { readonly namespace: string; readonly name: string }
  readonly spec: V1JobSpec
}

export interface JobOwner {
  readonly kind: WorkKind
  /** The Job is there, too: an owner in another namespace would count as one that is gone. */
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

export function ownedBy({ kind, name, uid }: JobOwner): V1OwnerReference {
  return { apiVersion: `${apiGroup}/${apiVersion}`, kind, name, uid, controller: true }
}

/** One Job, one pod, for a command or a chain. */
export function jobFor(command: JobCommand, owner: JobOwner, all: RunnerSettings): RunnerJob {
  const { kueue } = all
  const settings = settingsFor(command, all)
  const ownLabels = { ...commandLabels(command), ...runnerLabels(settings) }
  const podLabels = {
    ...settings.pod.labels,
    ...ownLabels,
    ...profileLabels(command, all),
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(command.commandId, command.jobGeneration, owner.kind),
      namespace: owner.namespace,
      labels: kueue === null ? podLabels : { ...podLabels, ...queueLabels(command, kueue) },
      annotations: { ...settings.pod.annotations, [specHashAnnotation]: command.specHash },
      ownerReferences: [ownedBy(owner)],
    },
    spec: {
      parallelism: 1,
      completions: 1,
      completionMode: 'NonIndexed',
      backoffLimit: backoffLimitOf(settings),
      podReplacementPolicy: 'Failed',
      podFailurePolicy: podFailurePolicy(kueue !== null),
      // Afterwards only Kueue changes it: a patch of ours would start or stop what it has decided.
      ...(kueue === null ? {} : { suspend: true }),
      activeDeadlineSeconds: command.limits.clocks.jobDeadlineSeconds,
      // No ttlSecondsAfterFinished: a Job that is deleted before its outcome is recorded takes the
      // evidence with it. The operator patches it in afterwards.
      template: {
        metadata: {
          labels: podLabels,
          annotations: {
            ...keepRunning,
            ...settings.pod.annotations,
            [scratchAnnotation]: String(command.limits.scratchMbytes),
          },
        },
        spec: podSpec(command.limits, {
          ...settings,
          scratchMbytes: command.limits.scratchMbytes,
        }),
      },
    },
  }
}

/** Pods that Kueue evicts before they run have no exit code, so Kubernetes counts them as failed. */
export function backoffLimitOf({
  maxAttempts,
  kueue,
}: Pick<RunnerSettings, 'maxAttempts' | 'kueue'>): number {
  return maxAttempts - 1 + (kueue?.maxEvictions ?? 0)
}

/** Labels that find the Job of a command and its pod. */
export function commandLabels({
  commandId,
  accountName,
  jobGeneration,
}: Pick<JobCommand, 'commandId' | 'accountName' | 'jobGeneration'>): Record<string, string> {
  return {
    [labels.commandId]: commandId,
    [labels.account]: labelValue(accountName),
    [labels.jobGeneration]: String(jobGeneration),
  }
}

/** NetworkPolicies select runners by them. */
export function runnerLabels({ release }: Pick<RunnerSettings, 'release'>): Record<string, string> {
  return {
    [labels.managedBy]: managedBy,
    'app.kubernetes.io/name': 'cloud-ffmpeg',
    'app.kubernetes.io/component': 'runner',
    ...(release === null ? {} : { 'app.kubernetes.io/instance': release }),
  }
}

/**
 * Autoscalers do not evict a running encode; a PodDisruptionBudget for a one-pod Job does not help. The administrator's
 * annotations win: some clusters give spot nodes only to pods that may be evicted.
 */
export const keepRunning = {
  'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
  'karpenter.sh/do-not-disrupt': 'true',
}

export function podSpec(limits: RunnerLimits, settings: RunnerSettings): V1PodSpec {
  return {
    restartPolicy: 'Never',
    activeDeadlineSeconds: limits.clocks.podDeadlineSeconds,
    // TERM, 5 s until FFmpeg is killed, the rest for the last report.
    terminationGracePeriodSeconds: 15,
    serviceAccountName: settings.serviceAccountName,
    automountServiceAccountToken: false,
    // Thousands of Services would fill the environment until exec fails.
    enableServiceLinks: false,
    securityContext: podSecurityContext,
    imagePullSecrets: settings.imagePullSecrets.map((name) => ({ name })),
    containers: containersFor(limits, settings),
    volumes: volumesFor(settings),
    tolerations: [...nodeLossTolerations, ...settings.tolerations],
    nodeSelector: { ...settings.nodeSelector },
    ...(settings.priorityClassName === null
      ? {}
      : { priorityClassName: settings.priorityClassName }),
    ...(settings.runtimeClassName === null ? {} : { runtimeClassName: settings.runtimeClassName }),
    ...(settings.hostUsers === null ? {} : { hostUsers: settings.hostUsers }),
    ...podFields(settings),
  }
}

function podFields({ pod }: RunnerSettings): Partial<V1PodSpec> {
  const { topologySpreadConstraints, ...others } = pod
  const {
    annotations: _annotations,
    labels: _labels,
    containerSecurityContext: _ofContainers,
    ...fields
  } = others
  if (topologySpreadConstraints === undefined) return fields
  return { ...fields, topologySpreadConstraints: [...topologySpreadConstraints] }
}

/** The default of 300 s would keep a command on a dead node for five minutes more. */
const nodeLossTolerations: V1Toleration[] = ['not-ready', 'unreachable'].map((condition) => ({
  key: `node.kubernetes.io/${condition}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 20,
}))
