import type {
  V1Affinity,
  V1PodDNSConfig,
  V1PodSecurityContext,
  V1SecurityContext,
  V1TopologySpreadConstraint,
} from '@kubernetes/client-node'
import type { Priority } from '../../common/domain/priority.ts'
import type { KueueSettings } from './kueue.ts'

/** Fields of a runner's pod that its command does not decide. */
export interface RunnerPod {
  readonly annotations?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly affinity?: V1Affinity
  readonly topologySpreadConstraints?: readonly V1TopologySpreadConstraint[]
  readonly schedulerName?: string
  readonly dnsPolicy?: string
  readonly dnsConfig?: V1PodDNSConfig
  /** Replaces the one with the ids of the runner's image. */
  readonly securityContext?: V1PodSecurityContext
  /** Applies to both containers. */
  readonly containerSecurityContext?: V1SecurityContext
}

/** Extended resources by their names, such as `nvidia.com/gpu`, and how many of each. */
export type ExtraResources = Readonly<Record<string, number>>

/** Placement and sizes for the runners of some plans; what is left out is as for all. */
export interface RunnerProfile {
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Toleration[]
  readonly priorityClassName?: string
  readonly runtimeClassName?: string
  readonly hostUsers?: boolean
  readonly sandbox?: RunnerSettings['sandbox']
  readonly cpuRequestPerVcpu?: number
  readonly memoryRequestPerVcpu?: number
  readonly memoryPerVcpuMbytes?: number
  readonly scratchMbytes?: number
  readonly extraResources?: ExtraResources
  /** The cluster may take its nodes at any time; absent: it does not. */
  readonly spot?: SpotSettings
  readonly pod?: RunnerPod
}

export interface SpotSettings {
  /** Profile of the Job after too many such losses; null: the settings of all. */
  readonly fallback: string | null
}

/** The operator's settings for every runner's Job. */
export interface RunnerSettings {
  /** Namespace in which the service itself creates objects, and in which pods wait for commands. */
  readonly namespace: string
  /** Label of Jobs and pods that names their release; null: none. */
  readonly release: string | null
  readonly image: string
  readonly imagePullPolicy: 'Always' | 'IfNotPresent' | 'Never'
  readonly imagePullSecrets: readonly string[]
  readonly serviceAccountName: string
  /** Base address of the runner gateway, as pods reach it. */
  readonly gatewayUrl: string
  /** PEM of the authorities of the gateway's certificate, which change while the operator runs; null: plain HTTP. */
  readonly gatewayCa: () => string | null
  /** ConfigMap whose `ca.crt` has authorities of the cluster's owner, in each namespace of runners; null: none. */
  readonly trustCaConfigMap: string | null
  /** CPU requests are this share of the limits. */
  readonly cpuRequestPerVcpu: number
  /** Memory requests are this share of the limits. */
  readonly memoryRequestPerVcpu: number
  readonly memoryPerVcpuMbytes: number
  /** Working disk for inputs, outputs and all in between together. */
  readonly scratchMbytes: number
  /** The same by plan; the lower of both applies. null: the plan sets none. */
  readonly planScratchMbytes: Readonly<Record<string, number | null>>
  /** Disk of its node that `transfer` requests; null: its limit. */
  readonly scratchRequestMbytes: number | null
  /** The working disk is a volume of this claim; null: an emptyDir of the node. */
  readonly scratchClaim: ScratchClaim | null
  /** FFmpeg's container requests them; its sandbox opens no device. */
  readonly extraResources: ExtraResources
  readonly transferCpuMillis: number
  /** null: the same part of the limit that FFmpeg's container requests. */
  readonly transferCpuRequestMillis: number | null
  readonly transferMemoryMbytes: number
  /** Pods that a command may lose or crash before it fails. */
  readonly maxAttempts: number
  /** Seconds from admission until a node has the pod; null: no limit. */
  readonly placeAllowanceSeconds: number | null
  /** Start timeout: from then to the first request of a runner, with the pull of its image. */
  readonly startAllowanceSeconds: number
  /** Time for fetching inputs and storing outputs together, per pod. */
  readonly transferAllowanceSeconds: number
  readonly nodeSelector: Readonly<Record<string, string>>
  readonly tolerations: readonly Toleration[]
  readonly priorityClassName: string | null
  /** Priority class by the priority of the command; replaces `priorityClassName`. */
  readonly priorityClasses: Readonly<Partial<Record<Priority, string>>>
  readonly pod: RunnerPod
  /** Profiles by name. */
  readonly profiles: Readonly<Record<string, RunnerProfile>>
  /** Name of the profile by plan; the others have none. */
  readonly planProfiles: Readonly<Record<string, string>>
  readonly runtimeClassName: string | null
  /** false gives each pod a user namespace of its own; null leaves the cluster's default. */
  readonly hostUsers: boolean | null
  /** null: the operator's own admission decides when a Job starts. */
  readonly kueue: KueueSettings | null
  /** null: no pods are kept for commands to come. */
  readonly warm: WarmSettings | null
  /** Largest frame that FFmpeg decodes. */
  readonly maxPixels: number
  /** Behaviour of the supervisor if the kernel cannot sandbox FFmpeg. */
  readonly sandbox: 'required' | 'preferred' | 'off'
  /** Armed failpoints of the runner, for tests against a real cluster. */
  readonly failpoints: string | null
}

/** Runners that wait for a command before one is chosen for them. */
export interface WarmSettings {
  readonly min: number
  readonly max: number
  /** Commands with more vCPUs get none of them. */
  readonly vcpu: number
  /** Part of what the largest command requests that a waiting one requests, 0 to 1. */
  readonly reserve: number
  /** An older one is replaced. */
  readonly maxAgeSeconds: number
  /** After this time without commands no more than `min` are kept. */
  readonly idleSeconds: number
  /** Plans whose commands get none. */
  readonly coldPlans: readonly string[]
}

/** A generic ephemeral volume of each pod. */
export interface ScratchClaim {
  /** null: the cluster's default. */
  readonly storageClassName: string | null
  /** A quantity, such as `100Gi`; null: the command's working disk. */
  readonly size: string | null
}

export interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}
