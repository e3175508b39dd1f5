import { shape } from '../../common/settings/settings.ts'
import type { Priority } from '../../common/domain/priority.ts'
import type { RunnerPod, RunnerProfile, ScratchClaim, Toleration } from './runner-settings.ts'

const podFields = {
  annotations: { type: 'object' },
  labels: { type: 'object' },
  affinity: { type: 'object' },
  topologySpreadConstraints: { type: 'array' },
  schedulerName: { type: 'string' },
  dnsPolicy: { type: 'string' },
  dnsConfig: { type: 'object' },
  securityContext: { type: 'object' },
  containerSecurityContext: { type: 'object' },
} as const

/** The operator's environment variables that define each runner pod. */
export const runnerPodVariables = {
  CLOUD_FFMPEG_RUNNER_IMAGE: { type: 'string', description: 'Image of both runner containers.' },
  CLOUD_FFMPEG_RUNNER_IMAGE_PULL_POLICY: {
    type: 'string',
    enum: ['Always', 'IfNotPresent', 'Never'],
    default: 'IfNotPresent',
    description: 'Its pull policy.',
  },
  CLOUD_FFMPEG_RUNNER_IMAGE_PULL_SECRETS: {
    type: 'array',
    items: { type: 'string' },
    shape: shape<string[]>(),
    default: [],
    description: 'Names of Secrets to pull it with, a JSON array.',
  },
  CLOUD_FFMPEG_RUNNER_SERVICE_ACCOUNT: {
    type: 'string',
    default: 'cloud-ffmpeg-runner',
    description: 'Service account of the pods; it needs no rights at all.',
  },
  CLOUD_FFMPEG_TRUST_CA_CONFIG_MAP: {
    type: 'string',
    optional: true,
    description:
      'ConfigMap in each namespace of runners whose ca.crt they trust beside the authorities of their image.',
  },
  CLOUD_FFMPEG_RUNNER_NODE_SELECTOR: {
    type: 'object',
    additionalProperties: { type: 'string' },
    shape: shape<Record<string, string>>(),
    default: {},
    description: 'Labels of nodes that may run commands, a JSON object.',
  },
  CLOUD_FFMPEG_RUNNER_TOLERATIONS: {
    type: 'array',
    items: { type: 'object' },
    shape: shape<Toleration[]>(),
    default: [],
    description: 'Further tolerations of the pods, a JSON array.',
  },
  CLOUD_FFMPEG_RUNNER_POD: {
    type: 'object',
    additionalProperties: false,
    properties: podFields,
    shape: shape<RunnerPod>(),
    default: {},
    description:
      'What their pods have beside: annotations, labels, affinity, topologySpreadConstraints, schedulerName, dnsPolicy, dnsConfig, securityContext, containerSecurityContext; a JSON object.',
  },
  CLOUD_FFMPEG_RUNNER_PROFILES: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      properties: {
        nodeSelector: { type: 'object' },
        tolerations: { type: 'array' },
        priorityClassName: { type: 'string' },
        runtimeClassName: { type: 'string' },
        hostUsers: { type: 'boolean' },
        sandbox: { enum: ['required', 'preferred', 'off'] },
        cpuRequestPerVcpu: { type: 'number' },
        memoryRequestPerVcpu: { type: 'number' },
        memoryPerVcpuMbytes: { type: 'integer', minimum: 64 },
        scratchMbytes: { type: 'integer', minimum: 64 },
        extraResources: {
          type: 'object',
          additionalProperties: { type: 'integer', minimum: 1 },
        },
        spot: {
          type: 'object',
          additionalProperties: false,
          properties: { fallback: { type: 'string', nullable: true, default: null } },
        },
        pod: { type: 'object', additionalProperties: false, properties: podFields },
      },
    },
    shape: shape<Record<string, RunnerProfile>>(),
    default: {},
    description: 'Settings of pods by the name of a profile, which plans name; a JSON object.',
  },
  CLOUD_FFMPEG_RUNNER_PRIORITY_CLASSES: {
    type: 'object',
    additionalProperties: false,
    properties: { low: { type: 'string' }, normal: { type: 'string' }, high: { type: 'string' } },
    shape: shape<Partial<Record<Priority, string>>>(),
    default: {},
    description: 'Priority class of a pod by the priority of its command, a JSON object.',
  },
  CLOUD_FFMPEG_RUNNER_PRIORITY_CLASS: {
    type: 'string',
    optional: true,
    description: "The pods' priority class; the operator's own should be higher.",
  },
  CLOUD_FFMPEG_RUNNER_RUNTIME_CLASS: {
    type: 'string',
    optional: true,
    description: 'A sandboxing runtime, such as gvisor.',
  },
  CLOUD_FFMPEG_RUNNER_HOST_USERS: {
    type: 'boolean',
    optional: true,
    description: "false gives each pod a user namespace; the cluster's default if unset.",
  },
  CLOUD_FFMPEG_SANDBOX: {
    type: 'string',
    enum: ['required', 'preferred', 'off'],
    default: 'required',
    description: 'What to do on a node whose kernel cannot sandbox FFmpeg.',
  },
  CLOUD_FFMPEG_CPU_REQUEST_PER_VCPU: {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 1,
    default: 1,
    description: 'CPU requests as a share of the limits.',
  },
  CLOUD_FFMPEG_MEMORY_REQUEST_PER_VCPU: {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 1,
    default: 1,
    description:
      'Memory requests as a share of the limits; below 1, nodes promise more memory than they have.',
  },
  CLOUD_FFMPEG_MEMORY_PER_VCPU_MBYTES: {
    type: 'integer',
    minimum: 64,
    default: 1_024,
    description: "FFmpeg's memory limit per vCPU.",
  },
  CLOUD_FFMPEG_SCRATCH_MBYTES: {
    type: 'integer',
    minimum: 64,
    default: 40_960,
    description: 'Working disk for inputs, outputs and all in between together.',
  },
  CLOUD_FFMPEG_SCRATCH_REQUEST_MBYTES: {
    type: 'integer',
    minimum: 1,
    optional: true,
    description:
      'Disk that a pod requests of its node; its limit, 512 MB more than CLOUD_FFMPEG_SCRATCH_MBYTES, if unset.',
  },
  CLOUD_FFMPEG_SCRATCH_CLAIM: {
    type: 'object',
    additionalProperties: false,
    properties: {
      storageClassName: { type: 'string', nullable: true, default: null },
      size: { type: 'string', nullable: true, pattern: '^[1-9][0-9]*(Mi|Gi|Ti)$', default: null },
    },
    shape: shape<ScratchClaim>(),
    optional: true,
    description:
      'JSON of a volume claim, {storageClassName, size}: the working disk is a volume of its own; an emptyDir if unset.',
  },
  CLOUD_FFMPEG_TRANSFER_CPU_MILLIS: {
    type: 'integer',
    minimum: 50,
    default: 1_000,
    description: 'CPU limit of the transfer container, thousandths.',
  },
  CLOUD_FFMPEG_TRANSFER_CPU_REQUEST_MILLIS: {
    type: 'integer',
    minimum: 1,
    optional: true,
    description:
      "CPU request of the transfer container, thousandths; CLOUD_FFMPEG_CPU_REQUEST_PER_VCPU's part of its limit if unset.",
  },
  CLOUD_FFMPEG_TRANSFER_MEMORY_MBYTES: {
    type: 'integer',
    minimum: 64,
    default: 256,
    description: 'Memory limit of the transfer container.',
  },
} as const
