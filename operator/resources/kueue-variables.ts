import { shape } from '../../common/settings/settings.ts'
import type { Priority } from '../../common/domain/priority.ts'

const className = { type: ['string', 'null'], default: null } as const

/** The operator's environment variables for Jobs that wait in queues of Kueue. */
export const kueueVariables = {
  CLOUD_FFMPEG_KUEUE: {
    type: 'boolean',
    default: false,
    description: 'Jobs are created suspended, for Kueue to resume them.',
  },
  CLOUD_FFMPEG_KUEUE_QUEUE_NAME: {
    type: 'string',
    default: 'cloud-ffmpeg-{plan}',
    description: 'LocalQueue of a Job; {plan} and {account} stand for those of its command.',
  },
  CLOUD_FFMPEG_KUEUE_PRIORITY_CLASSES: {
    type: 'object',
    additionalProperties: false,
    properties: { low: className, normal: className, high: className },
    shape: shape<Record<Priority, string | null>>(),
    default: { low: null, normal: null, high: null },
    description: 'WorkloadPriorityClass of Jobs by the priority of their command, a JSON object.',
  },
  CLOUD_FFMPEG_KUEUE_MAX_EVICTIONS: {
    type: 'integer',
    minimum: 0,
    maximum: 1_000,
    default: 10,
    description: 'Evictions by Kueue that a command survives; they use up none of its runners.',
  },
} as const
