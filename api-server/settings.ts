import { plansVariable } from '../common/plans.ts'
import { InvalidSettings } from '../common/settings.ts'
import type { Settings } from '../common/settings.ts'
import type { ObjectStoreOptions } from '../common/object-store.ts'

const port = { type: 'integer', minimum: 0, maximum: 65_535 } as const

/** The environment of the API server. */
export const variables = {
  CLOUD_FFMPEG_DATABASE_URL: {
    type: 'string',
    description: 'PostgreSQL connection string, postgres://…; TLS by its sslmode.',
  },
  CLOUD_FFMPEG_NAMESPACE: {
    type: 'string',
    description: 'Namespace in which commands, Jobs and pods live.',
  },
  CLOUD_FFMPEG_PLANS: plansVariable,
  CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL: {
    type: 'string',
    description: "Base of the outputs' storage_url: a CDN, or the storage's endpoint and bucket.",
  },
  CLOUD_FFMPEG_PORT: { ...port, default: 8080, description: 'Port of the REST API.' },
  CLOUD_FFMPEG_METRICS_PORT: { ...port, default: 9090, description: 'Port of /metrics.' },
  CLOUD_FFMPEG_LOG_LEVEL: {
    type: 'string',
    enum: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    description: 'Least level of log lines; GET requests are logged at debug.',
  },
  CLOUD_FFMPEG_SERVE_UNDER_API: {
    type: 'boolean',
    default: true,
    description: 'Serve every path below /api too, for clients whose base address ends in it.',
  },
  CLOUD_FFMPEG_MIGRATE: {
    type: 'boolean',
    default: true,
    description: 'Migrate the database at start; off where the migrate command does it.',
  },
  CLOUD_FFMPEG_DATABASE_CONNECTIONS: {
    type: 'integer',
    minimum: 2,
    maximum: 1_000,
    default: 10,
    description: 'Most connections to the database.',
  },
  CLOUD_FFMPEG_BOOTSTRAP_ACCOUNT: {
    type: 'string',
    pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
    default: 'default',
    description: 'Name of the account that is made at the first start.',
  },
  CLOUD_FFMPEG_BOOTSTRAP_PLAN: {
    type: 'string',
    default: 'unlimited',
    description: "That account's plan.",
  },
  CLOUD_FFMPEG_BOOTSTRAP_API_KEY: {
    type: 'string',
    optional: true,
    minLength: 16,
    description: 'A key for that account; only its hash is stored.',
  },
  CLOUD_FFMPEG_LIVE_COMMANDS: {
    type: 'integer',
    minimum: 1,
    default: 1_000,
    description: 'Most custom resources at a time; further commands wait in the database.',
  },
  CLOUD_FFMPEG_DRAIN_SECONDS: {
    type: 'number',
    minimum: 0,
    default: 3,
    description:
      'From the signal to stop until the listener closes; load balancers notice meanwhile.',
  },
  CLOUD_FFMPEG_STORAGE_PUBLIC_ENDPOINT: {
    type: 'string',
    optional: true,
    description: "S3 endpoint as users reach it, AWS' own if empty; signs URLs of private outputs.",
  },
  CLOUD_FFMPEG_STORAGE_BUCKET: { type: 'string', description: 'The bucket of all files.' },
  CLOUD_FFMPEG_STORAGE_REGION: {
    type: 'string',
    default: 'us-east-1',
    description: 'Region of the bucket.',
  },
  CLOUD_FFMPEG_STORAGE_PATH_STYLE: {
    type: 'boolean',
    default: true,
    description: 'Put the bucket into the path instead of the host name.',
  },
  CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: {
    type: 'string',
    description: 'Credential that may read private outputs.',
  },
  CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: { type: 'string', description: 'Its secret.' },
  CLOUD_FFMPEG_FAILPOINTS: {
    type: 'string',
    default: '',
    description: 'For tests: name=action[,name=action], crash-before, crash-after, fail or twice.',
  },
} as const

export type ApiServerSettings = Settings<typeof variables>

/** @throws InvalidSettings for what one variable alone cannot tell */
export function checkedSettings(settings: ApiServerSettings): ApiServerSettings {
  const plans = Object.keys(settings.CLOUD_FFMPEG_PLANS)
  const plan = settings.CLOUD_FFMPEG_BOOTSTRAP_PLAN
  if (plans.includes(plan)) return settings
  // Unknown plans fall back to the smallest one; an installation would wonder why it is so slow.
  throw new InvalidSettings([
    `CLOUD_FFMPEG_BOOTSTRAP_PLAN: '${plan}' is none of the plans: ${plans.join(', ')}`,
  ])
}

export function objectStoreOptions(settings: ApiServerSettings): ObjectStoreOptions {
  return {
    bucket: settings.CLOUD_FFMPEG_STORAGE_BUCKET,
    region: settings.CLOUD_FFMPEG_STORAGE_REGION,
    endpoint: null,
    publicEndpoint: settings.CLOUD_FFMPEG_STORAGE_PUBLIC_ENDPOINT ?? null,
    pathStyle: settings.CLOUD_FFMPEG_STORAGE_PATH_STYLE,
    credentials: {
      accessKeyId: settings.CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID,
      secretAccessKey: settings.CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY,
    },
  }
}
