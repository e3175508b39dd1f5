import { databaseVariables } from '../common/database/connection/database-variables.ts'
import { plansVariable } from '../common/domain/plans.ts'
import { priorityAgeVariable } from '../common/domain/priority.ts'
import { storageVariables } from '../common/storage/storage-variables.ts'
import { shape } from '../common/settings/settings.ts'
import { networkVariables } from '../common/network/network-variables.ts'
import type { Settings } from '../common/settings/settings.ts'
import { gatewayVariables } from './gateway/gateway-variables.ts'
import { importVariables } from './import/import-variables.ts'
import { kueueVariables } from './resources/kueue-variables.ts'
import { warmVariables } from './resources/warm-variables.ts'
import { runnerPodVariables } from './resources/runner-pod-variables.ts'

const port = { type: 'integer', minimum: 0, maximum: 65_535 } as const
const texts = { type: 'array', items: { type: 'string' }, shape: shape<string[]>() } as const
const seconds = { type: 'number', minimum: 0 } as const

/** The environment of the operator. */
export const variables = {
  ...databaseVariables,
  CLOUD_FFMPEG_NAMESPACE: {
    type: 'string',
    description: 'Namespace in which commands, Jobs and pods live.',
  },
  CLOUD_FFMPEG_WATCH_NAMESPACES: {
    ...texts,
    default: [],
    uniqueItems: true,
    description:
      'JSON list of other namespaces: objects that are applied there are run, by Jobs beside them.',
  },
  CLOUD_FFMPEG_RELEASE: {
    type: 'string',
    optional: true,
    pattern: '^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$',
    description: 'Name of the release, as the label app.kubernetes.io/instance of Jobs and pods.',
  },
  CLOUD_FFMPEG_LEASE_NAMESPACE: {
    type: 'string',
    optional: true,
    description: 'Namespace of the Lease that elects the leader; that of the commands if unset.',
  },
  CLOUD_FFMPEG_LEASE_NAME: {
    type: 'string',
    default: 'cloud-ffmpeg-operator',
    description: 'Its name.',
  },
  CLOUD_FFMPEG_LEASE_SECONDS: {
    type: 'integer',
    minimum: 2,
    maximum: 60,
    default: 15,
    description: 'How long a Lease that is not renewed keeps other operators out.',
  },
  CLOUD_FFMPEG_LEASE_RENEW_SECONDS: {
    type: 'number',
    minimum: 0.2,
    maximum: 30,
    default: 2,
    description: 'Between two renewals of the Lease; at most half of the next value.',
  },
  CLOUD_FFMPEG_LEASE_STOP_SECONDS: {
    type: 'number',
    minimum: 1,
    maximum: 59,
    default: 10,
    description:
      'From the last successful renewal until the leader stops its work; below the duration of the Lease.',
  },
  CLOUD_FFMPEG_POD_NAME: { type: 'string', description: 'Name of this pod.' },
  CLOUD_FFMPEG_POD_UID: { type: 'string', description: 'UID of this pod.' },
  CLOUD_FFMPEG_POD_IP: {
    type: 'string',
    optional: true,
    description:
      'Address of this pod, at which standbys reach the leader; without it commands get none.',
  },
  CLOUD_FFMPEG_PLANS: plansVariable,
  ...importVariables,
  CLOUD_FFMPEG_LOG_LEVEL: {
    type: 'string',
    enum: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    description: 'Least level of log lines.',
  },
  CLOUD_FFMPEG_METRICS_PORT: {
    ...port,
    default: 9090,
    description: 'Port of /metrics, /livez and /readyz.',
  },
  CLOUD_FFMPEG_EVENTS: {
    type: 'boolean',
    default: true,
    description: 'Write Kubernetes Events about commands.',
  },
  CLOUD_FFMPEG_NOTICE_FOREIGN: {
    type: 'boolean',
    default: true,
    description: 'Write an Event to objects in namespaces that no release watches.',
  },
  CLOUD_FFMPEG_KUBE_REQUESTS_PER_SECOND: {
    type: 'integer',
    minimum: 10,
    default: 100,
    description: 'Most requests a second to the Kubernetes API, over time.',
  },
  CLOUD_FFMPEG_KUBE_BURST: {
    type: 'integer',
    minimum: 10,
    default: 200,
    description: 'Requests that may follow one another without a pause after a quiet time.',
  },
  ...gatewayVariables,
  ...storageVariables,
  ...runnerPodVariables,
  ...kueueVariables,
  ...warmVariables,
  CLOUD_FFMPEG_MAX_ATTEMPTS: {
    type: 'integer',
    minimum: 1,
    maximum: 10,
    default: 3,
    description: 'Runners that a command may lose before it fails.',
  },
  CLOUD_FFMPEG_START_ALLOWANCE_SECONDS: {
    ...seconds,
    type: 'integer',
    default: 600,
    description: 'From the node of a pod to the first request of its runner: image and volumes.',
  },
  CLOUD_FFMPEG_PLACE_ALLOWANCE_SECONDS: {
    type: 'integer',
    minimum: 1,
    optional: true,
    description:
      'From admission until a node has the pod: room, quotas and policies of the cluster; no limit if unset.',
  },
  CLOUD_FFMPEG_TRANSFER_ALLOWANCE_SECONDS: {
    ...seconds,
    default: 3_600,
    description: 'For fetching inputs and storing outputs together.',
  },
  CLOUD_FFMPEG_MAX_FILES: {
    type: 'integer',
    minimum: 1,
    default: 10_000,
    description: 'Most files of an archive or of a command.',
  },
  CLOUD_FFMPEG_MAX_PIXELS: {
    type: 'integer',
    minimum: 1,
    default: 268_435_456,
    description:
      'Largest frame that FFmpeg decodes, where the memory of the runner has 16 bytes for each pixel; 67108864 in any case.',
  },
  CLOUD_FFMPEG_OVERLAP_INPUTS: {
    type: 'boolean',
    default: true,
    description: 'Start FFmpeg while its input still arrives, where that is safe.',
  },
  CLOUD_FFMPEG_OVERLAP_OUTPUTS: {
    type: 'boolean',
    default: true,
    description: 'Store what FFmpeg has finished writing while it still runs, where that is safe.',
  },
  CLOUD_FFMPEG_ANALYSIS_FULL_FETCH_BYTES: {
    type: 'integer',
    minimum: 0,
    default: 2_147_483_648,
    description:
      'Largest upload that is fetched whole to probe it; else only its beginning and end.',
  },
  ...networkVariables,
  CLOUD_FFMPEG_LIVE_JOBS: {
    type: 'integer',
    minimum: 1,
    optional: true,
    description: 'Most Jobs of commands at a time; 500 if unset, 2,000 with Kueue.',
  },
  CLOUD_FFMPEG_LIVE_FILE_JOBS: {
    type: 'integer',
    minimum: 1,
    default: 32,
    description: 'Most Jobs at a time that store or analyse files.',
  },
  CLOUD_FFMPEG_CAPACITY_VCPUS: {
    type: 'integer',
    minimum: 1,
    optional: true,
    description: 'vCPUs that runners may use together; learnt from pods without a node if unset.',
  },
  CLOUD_FFMPEG_STARTING_PODS: {
    type: 'integer',
    minimum: 2,
    optional: true,
    description:
      'Pods that start at a time, without those that wait for commands; no limit if unset.',
  },
  CLOUD_FFMPEG_UNPLACED_PODS: {
    type: 'integer',
    minimum: 1,
    default: 2,
    description:
      'Pods of an account without a node at a time, while the cluster has none for them.',
  },
  CLOUD_FFMPEG_RESERVED_SHARE: {
    type: 'number',
    minimum: 0,
    maximum: 0.5,
    default: 0.1,
    description:
      'Part of all limits that is kept for other accounts that submitted of late; 0 = none.',
  },
  CLOUD_FFMPEG_RESERVE_MINUTES: {
    type: 'integer',
    minimum: 0,
    maximum: 1_440,
    default: 30,
    description: 'The reserve is for accounts that submitted within this time; 0 = for none.',
  },
  CLOUD_FFMPEG_PASS_SECONDS: {
    ...seconds,
    default: 300,
    description: 'A smaller command may pass a larger one until the larger has waited this long.',
  },
  CLOUD_FFMPEG_PRIORITY_AGE_SECONDS: priorityAgeVariable,
  CLOUD_FFMPEG_JOB_TTL_SECONDS: {
    type: 'integer',
    minimum: 0,
    default: 60,
    description: 'Job and pod of a successful command stay this long.',
  },
  CLOUD_FFMPEG_FAILED_JOB_TTL_SECONDS: {
    type: 'integer',
    minimum: 0,
    default: 600,
    description: 'Those of a failed one stay this long, for kubectl logs.',
  },
  CLOUD_FFMPEG_FINISHED_SECONDS: {
    ...seconds,
    default: 60,
    description: 'A finished custom resource stays at least this long.',
  },
  CLOUD_FFMPEG_FINISHED_KEEP: {
    type: 'integer',
    minimum: 0,
    default: 500,
    description: 'Number of the newest that stay longer.',
  },
  CLOUD_FFMPEG_FINISHED_KEEP_SECONDS: {
    ...seconds,
    default: 3_600,
    description: 'Longest stay of those.',
  },
  CLOUD_FFMPEG_RESULT_OBJECTS: {
    type: 'boolean',
    default: true,
    description:
      'Store a SUCCESS in the bucket before its custom resource shows it: it survives the loss of its commit.',
  },
  CLOUD_FFMPEG_DATABASE_RELAXED_PROGRESS: {
    type: 'boolean',
    default: true,
    description:
      'Progress and log lines do not wait for the flush or the standby of the database; ends always do.',
  },
  CLOUD_FFMPEG_SWEEP_OBJECTS_SECONDS: {
    ...seconds,
    default: 1_800,
    description:
      'What a lost attempt stored is deleted after this long; ten minutes more than the URLs of PUTs live, or longer.',
  },
  CLOUD_FFMPEG_PUT_URL_SECONDS: {
    type: 'integer',
    minimum: 60,
    maximum: 604_800,
    default: 900,
    description:
      'How long a runner may begin to store an object by one URL; then it requests a new one.',
  },
  CLOUD_FFMPEG_FAILPOINTS: {
    type: 'string',
    default: '',
    description: 'For tests: name=action[,name=action], crash-before, crash-after, fail or twice.',
  },
  CLOUD_FFMPEG_RUNNER_FAILPOINTS: {
    type: 'string',
    optional: true,
    description: "For tests: the runners' failpoints.",
  },
} as const

export type OperatorSettings = Settings<typeof variables>
