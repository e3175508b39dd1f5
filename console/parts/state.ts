import type { IconName } from '../controls/shapes.ts'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'

/** Display of a state in lists and headers: always a word, a shape and a colour. */
export interface ShownState {
  readonly word: string
  readonly icon: IconName
  readonly tone: 'muted' | 'accent' | 'good' | 'bad'
}

const stages = {
  DOWNLOADING: 'Downloading',
  PREPARING_INPUT_FILES: 'Preparing',
  FFMPEG_PROCESSING: 'Encoding',
  UPLOADING: 'Uploading',
} as const

type State = Pick<CommandListItem, 'status' | 'error_status'> & {
  readonly processing_stage?: CommandListItem['processing_stage']
}

export function shownState({ status, error_status, processing_stage }: State): ShownState {
  switch (status) {
    case 'QUEUED':
      return { word: 'Queued', icon: 'queued', tone: 'muted' }
    case 'SUCCESS':
      return { word: 'Done', icon: 'done', tone: 'good' }
    case 'FAILED':
      return error_status === 'CANCELLED'
        ? { word: 'Cancelled', icon: 'cancelled', tone: 'muted' }
        : { word: 'Failed', icon: 'failed', tone: 'bad' }
    case 'PREPARED_FFMPEG_COMMAND':
      return { word: 'Preparing', icon: 'running', tone: 'accent' }
    case 'PROCESSING': {
      const word = processing_stage ? stages[processing_stage] : 'Starting'
      return { word, icon: 'running', tone: 'accent' }
    }
  }
}

/** State of a delivery of a webhook. */
export const deliveryStates = {
  PENDING: { word: 'Waiting', icon: 'queued', tone: 'muted' },
  DELIVERED: { word: 'Delivered', icon: 'done', tone: 'good' },
  FAILED: { word: 'Failed', icon: 'failed', tone: 'bad' },
} as const

export function hasEnded({ status }: Pick<State, 'status'>): boolean {
  return status === 'SUCCESS' || status === 'FAILED'
}

interface Waiting {
  readonly vcpus: number | null
  readonly inUse: number | null
  readonly limit: number | null
  /** `queue_message` of the API: the administrator's reason of a pause. */
  readonly message?: string | null
}

/** Why a command waits, as the rest of a sentence. @param reason `queue_reason` of the API */
export function waitingWords(
  reason: string | null,
  { vcpus, inUse, limit, message = null }: Waiting,
): string {
  const need = vcpus === null ? 'It waits' : `It needs ${vcpus} vCPU${vcpus === 1 ? '' : 's'}`
  switch (reason) {
    case 'DISPATCH':
      return 'It is being handed to the cluster'
    case 'ACCOUNT_VCPUS':
      return inUse === null || limit === null
        ? `${need}; your account uses all of its own`
        : `${need}; your account uses ${inUse} of its ${limit}`
    case 'ACCOUNT_JOBS':
      return 'Your account runs as many commands as its plan allows'
    case 'QUOTA':
      return 'Commands that run have reserved the rest of the quota'
    case 'FAIR_SHARE':
      return `${need}; what is free is kept for other accounts that submitted of late`
    case 'CAPACITY':
      return `${need}; the cluster is full`
    case 'POLICY':
      return 'A policy of the cluster does not let it start yet'
    case 'QUOTA_OF_CLUSTER':
      return 'A quota of the cluster has no room for it yet'
    case 'PAUSED':
      return `An administrator has paused the start of commands${message === null ? '' : `: ${message}`}`
    case 'KUEUE':
      return 'The queue of the cluster, Kueue, has not started it'
    default:
      return 'It waits for its turn'
  }
}

/** Both ends of an id tell two apart. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-6)}`
}
