import { registrationSettings } from './accounts/registration/registration-settings.ts'
import {
  databaseAccess,
  databaseUrls,
  databaseVariables,
} from '../common/database/connection/database-variables.ts'
import { plansVariable } from '../common/domain/plans.ts'
import { priorityAgeVariable } from '../common/domain/priority.ts'
import { storageVariables } from '../common/storage/storage-variables.ts'
import { InvalidSettings, shape } from '../common/settings/settings.ts'
import { networkVariables } from '../common/network/network-variables.ts'
import type { Settings } from '../common/settings/settings.ts'

const port = { type: 'integer', minimum: 0, maximum: 65_535 } as const
const texts = { type: 'array', items: { type: 'string' }, shape: shape<string[]>() } as const

/** The environment of the API server. */
export const variables = {
  ...databaseVariables,
  CLOUD_FFMPEG_NAMESPACE: {
    type: 'string',
    description: 'Namespace in which commands, Jobs and pods live.',
  },
  CLOUD_FFMPEG_PLANS: plansVariable,
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
  CLOUD_FFMPEG_CONSOLE: {
    type: 'boolean',
    default: true,
    description: 'Serve the console for browsers at /console.',
  },
  CLOUD_FFMPEG_CORS_ORIGINS: {
    ...texts,
    default: [],
    description: 'Origins whose pages may call the API from a browser, a JSON array; * is all.',
  },
  CLOUD_FFMPEG_MIGRATE: {
    type: 'boolean',
    default: true,
    description: 'Migrate the database at start; off where the migrate command does it.',
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
    pattern: '^\\s*[\\x21-\\x7e]{16,256}\\s*$',
    description: 'A key for that account; only its hash is stored.',
  },
  CLOUD_FFMPEG_BOOTSTRAP_SECRET: {
    type: 'string',
    optional: true,
    pattern: '^[^/]+/[^/]+$',
    description:
      'NAMESPACE/NAME of the Secret whose entry api-key gets a new key while it has none; used where no key is given.',
  },
  CLOUD_FFMPEG_ACCOUNT_PLAN: {
    type: 'string',
    default: 'free',
    description: 'Plan of new accounts.',
  },
  CLOUD_FFMPEG_ACCOUNT_SELF_DELETION: {
    type: 'boolean',
    default: false,
    description: 'Whether an account may delete itself by DELETE /v1/account.',
  },
  CLOUD_FFMPEG_SELF_SERVICE_KEYS: {
    type: 'boolean',
    default: false,
    description: 'Whether a key of an account may make more of them by POST /v1/keys.',
  },
  CLOUD_FFMPEG_REGISTRATION: {
    type: 'boolean',
    default: false,
    description: 'Whether people can register by themselves; needs SMTP and the public URL.',
  },
  CLOUD_FFMPEG_REGISTRATION_REQUESTS_PER_HOUR: {
    type: 'integer',
    minimum: 1,
    default: 10,
    description: 'Registrations, and activations, an hour from one client address.',
  },
  CLOUD_FFMPEG_PUBLIC_URL: {
    type: 'string',
    optional: true,
    pattern: '^https?://[^\\s/]+(/\\S*)?$',
    description: 'Base address of the service as users reach it, for links in mails.',
  },
  CLOUD_FFMPEG_TRUSTED_PROXIES: {
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'Number of trusted proxy hops for X-Forwarded-For.',
  },
  CLOUD_FFMPEG_SMTP_HOST: {
    type: 'string',
    optional: true,
    description: 'Mail server.',
  },
  CLOUD_FFMPEG_SMTP_PORT: { ...port, default: 587, description: 'Its port.' },
  CLOUD_FFMPEG_SMTP_TLS: {
    type: 'string',
    enum: ['starttls', 'implicit', 'none'],
    default: 'starttls',
    description: 'starttls (usual on 587) and implicit (465) refuse to go on without encryption.',
  },
  CLOUD_FFMPEG_SMTP_USER: {
    type: 'string',
    optional: true,
    description: 'Login, if it needs one.',
  },
  CLOUD_FFMPEG_SMTP_PASSWORD: { type: 'string', optional: true, description: 'Its password.' },
  CLOUD_FFMPEG_SMTP_FROM: {
    type: 'string',
    optional: true,
    pattern: '^[^\\r\\n]*@[^\\r\\n]+$',
    description: 'Sender of mails: address or Name <address>.',
  },
  CLOUD_FFMPEG_LIVE_COMMANDS: {
    type: 'integer',
    minimum: 1,
    default: 1_000,
    description:
      'Most custom resources of commands that have not ended; further commands wait in the database.',
  },
  CLOUD_FFMPEG_LOOK_AHEAD: {
    type: 'integer',
    minimum: 1,
    default: 16,
    description:
      'Most custom resources of one account that wait for admission; its further commands wait in the database.',
  },
  CLOUD_FFMPEG_PRIORITY_AGE_SECONDS: priorityAgeVariable,
  CLOUD_FFMPEG_STREAMS: {
    type: 'integer',
    minimum: 1,
    default: 2_000,
    description: 'Most open streams (events and followed logs) of this process.',
  },
  CLOUD_FFMPEG_POLL_CACHE_MS: {
    type: 'integer',
    minimum: 0,
    maximum: 250,
    default: 200,
    description: 'Cache TTL of command records in milliseconds; 0 disables the cache.',
  },
  CLOUD_FFMPEG_DRAIN_SECONDS: {
    type: 'number',
    minimum: 0,
    default: 3,
    description:
      'From the signal to stop until the listener closes; load balancers notice meanwhile.',
  },
  ...storageVariables,
  CLOUD_FFMPEG_WEBHOOK_CONCURRENCY: {
    type: 'integer',
    minimum: 2,
    maximum: 1_000,
    default: 64,
    description: 'Webhooks that are sent at a time.',
  },
  ...networkVariables,
  CLOUD_FFMPEG_UPLOAD_SESSION_SECONDS: {
    type: 'integer',
    minimum: 60,
    // S3 refuses presigned URLs with a lifetime above a week.
    maximum: 604_800,
    default: 86_400,
    description: 'From the beginning of an upload until the URLs of its parts and its session end.',
  },
  CLOUD_FFMPEG_FAILPOINTS: {
    type: 'string',
    default: '',
    description: 'For tests: name=action[,name=action], crash-before, crash-after, fail or twice.',
  },
} as const

export type ApiServerSettings = Settings<typeof variables>

/** @throws InvalidSettings for checks that involve several variables */
export function checkedSettings(settings: ApiServerSettings): ApiServerSettings {
  const plans = Object.keys(settings.CLOUD_FFMPEG_PLANS)
  const plan = settings.CLOUD_FFMPEG_BOOTSTRAP_PLAN
  // An account on an unknown plan would get the smallest plan without an error.
  const mistakes = plans.includes(plan)
    ? []
    : [`CLOUD_FFMPEG_BOOTSTRAP_PLAN: '${plan}' is none of the plans: ${plans.join(', ')}`]
  mistakes.push(...registrationSettings(settings).mistakes)
  if (settings.CLOUD_FFMPEG_MIGRATE && databaseAccess(settings).directConnectionString === null) {
    // An index is built outside a transaction, where a pooled connection has the statement timeout of the role.
    mistakes.push(
      'CLOUD_FFMPEG_DATABASE_DIRECT_URL: migrations need it behind a pooler; or set CLOUD_FFMPEG_MIGRATE to false and run the migrate command with the URL of the server itself',
    )
  }
  if (mistakes.length === 0) return settings
  throw new InvalidSettings(mistakes)
}

/** Source of the first key of the default account. */
export function firstKeySource(settings: ApiServerSettings) {
  return {
    given: settings.CLOUD_FFMPEG_BOOTSTRAP_API_KEY,
    place: settings.CLOUD_FFMPEG_BOOTSTRAP_SECRET,
  }
}

/**
 * Addresses that webhooks may reach. An allowed private range may hold the database and the storage,
 * which webhooks must not reach even then.
 */
export function webhookNetwork(settings: ApiServerSettings) {
  const own = [...databaseUrls(settings), settings.CLOUD_FFMPEG_STORAGE_ENDPOINT]
  return {
    allowCidrs: settings.CLOUD_FFMPEG_ALLOW_CIDRS,
    denyCidrs: settings.CLOUD_FFMPEG_DENY_CIDRS,
    denyEndpoints: [
      ...own.flatMap((url) => (url === undefined ? [] : hostAndPort(url))),
      ...settings.CLOUD_FFMPEG_DENY_ENDPOINTS,
    ],
  }
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Empty for a database on a Unix socket. */
function hostAndPort(url: string): string[] {
  const { protocol, hostname, port } = new URL(url)
  return hostname === '' ? [] : [`${hostname}:${port || (defaultPorts[protocol] ?? '5432')}`]
}
