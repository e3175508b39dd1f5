import type { QueueReason } from './states.ts'

/** Why a command does not run yet: `queue_reason`, and what its pod waits for before it starts. */
export type WaitReason = QueueReason | 'NODE' | 'IMAGE'

/** Text for users, as the rest of a sentence about the command. */
export const waitWords: Readonly<Record<WaitReason, string>> = {
  DISPATCH: 'waits to be handed to the cluster',
  ACCOUNT_VCPUS: 'waits for vCPUs of your account',
  ACCOUNT_JOBS: 'waits for a command of your account to end',
  QUOTA: 'waits for a command of your account to end, which fills its quota',
  FAIR_SHARE: 'waits for its share of the cluster',
  CAPACITY: 'waits for the cluster, which is full',
  POLICY: 'waits until a policy of the cluster lets it start',
  QUOTA_OF_CLUSTER: 'waits for room in a quota of the cluster',
  PAUSED: 'waits until the administrator lets commands start again',
  KUEUE: 'waits in a queue of the cluster',
  NODE: 'waits for a node with room for its pod',
  IMAGE: 'waits for its pod to start, mostly for the pull of the image',
}
