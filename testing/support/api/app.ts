import { addressRules } from '../../../common/network/address-policy.ts'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { Registry } from 'prom-client'
import { createApp } from '../../../api-server/app.ts'
import { checkedCall, field, fieldsOf } from '../../../api-server/checked-call.fixture.ts'
import { keyHash } from '../../../api-server/accounts/secrets.ts'
import { createLazyObjectStore } from '../../../api-server/files/lazy-object-store.ts'
import { createStreamMetrics } from '../../../api-server/server/stream-metrics.ts'
import { createFileUrls } from '../../../api-server/files/file-urls.ts'
import { createSubmit } from '../../../api-server/commands/submit/submit.ts'
import { answerUnreadable } from '../../../api-server/server/unreadable-requests.ts'
import { createHttpMetrics } from '../../../api-server/server/metrics.ts'
import { createUnknownKeyMetrics } from '../../../api-server/server/unknown-keys.ts'
import { loopbackWebhooks } from '../../../api-server/webhooks/receiver.fixture.ts'
import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import { ageDatabase, openTestDatabase } from '../database.ts'
import { listenAt } from '../http-server.ts'
import { useResource } from '../mocha.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import type { AppDeps } from '../../../api-server/routers/app-deps.ts'
import type { Answered, Sent } from '../../../api-server/checked-call.fixture.ts'
import type { TestDatabase } from '../database.ts'
import { planWith } from '../plans.ts'
import type { Account } from '../../../common/store/accounts.ts'
import type { Query } from '../../../common/database/connection/query.ts'
import type { Store } from '../../../common/store/store.ts'

/** The options of a test's API in one level; none has the name of another. */
export type AppOptions = Pick<AppDeps, 'effects' | 'logger'> &
  AppDeps['storage'] &
  AppDeps['limits'] &
  AppDeps['accounts'] &
  AppDeps['webhooks'] &
  AppDeps['web'] &
  Omit<AppDeps['streams'], 'metrics'> & { readonly streamMetrics: AppDeps['streams']['metrics'] }

function inGroups(own: AppOptions): AppDeps {
  const { effects, logger, streamMetrics: metrics } = own
  return {
    effects,
    logger,
    storage: own,
    limits: own,
    accounts: own,
    streams: { maxStreams: own.maxStreams, draining: own.draining, metrics },
    webhooks: own,
    web: own,
  }
}

export interface TestApp {
  readonly url: string
  readonly store: Store
  readonly database: TestDatabase
  readonly query: Query
  /** Makes all rows this much older. */
  age(seconds: number): Promise<void>
  /** An account on plan `pro`, with `key`. */
  readonly account: Account
  readonly key: string
  /** Metrics of this replica. */
  readonly registry: Registry
  /** How often dispatch was notified. */
  notifications(): number
  addAccount(name: string, plan: string, key: string): Promise<Account>
  /** Calls the API with `key`, unless `sent` has another one. */
  call(path: string, sent?: Sent): Promise<Answered>
  post(path: string, body: unknown, sent?: Sent): Promise<Answered>
  /** Submits `submission` with these changes. @returns the command's id */
  submit(change?: object, sent?: Sent): Promise<string>
  /** The record of a command or file below `path`. */
  record(path: string, sent?: Sent): Promise<Record<string, unknown>>
  list(path: string, sent?: Sent): Promise<Record<string, unknown>[]>
  remove(path: string, sent?: Sent): Promise<Answered>
  count(table: 'commands' | 'files' | 'api_keys'): Promise<number>
  suspend(accountName: string): Promise<void>
  close(): Promise<void>
}

/** Id that no test creates. */
export const unknownId = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01'

export const pro = planWith({ vcpuPerCommand: 16, vcpuTotal: 16, maxRunSeconds: 3_600 })
const free = planWith({ private: false })

/** Nothing listens on this port: tests of files bring a bucket of their own. */
export const noStorage = createLazyObjectStore({
  bucket: 'none',
  region: 'us-east-1',
  endpoint: 'http://127.0.0.1:1',
  publicEndpoint: null,
  pathStyle: true,
  credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
})

export const runPath = '/v1/run-ffmpeg-command'
export const chainPath = '/v1/run-chained-ffmpeg-commands'

/** A request that every account may make. */
export const submission = {
  ffmpeg_command: '-i {{in_1}} -vf "scale=-2:320" -c:a aac {{out_1}}',
  input_files: { in_1: 'https://media.example/sample.avi' },
  output_files: { out_1: 'small.mp4' },
  metadata: { order: 17 },
}

/** Starts the API before the tests of a `describe` and stops it after them. */
export function useApp(change: Partial<AppOptions> = {}): TestApp {
  return useResource(() => startTestApp(change))
}

/** The API on a port of its own, over a database of its own or that of another replica. */
export async function startTestApp(
  change: Partial<AppOptions> = {},
  replica?: TestApp,
): Promise<TestApp> {
  const database = replica?.database ?? (await openTestDatabase())
  const store = createPostgresStore(database.database)
  const effects = change.effects ?? systemEffects()
  const registry = new Registry()
  let notifications = 0
  const own: AppOptions = {
    store,
    submit: createSubmit({
      store,
      effects,
      notify: () => (notifications += 1),
      atTurnEnd: setImmediate,
    }),
    fileUrls: createFileUrls({
      publicBaseUrl: 'https://files.example/media',
      presign: async (key, seconds) => `https://signed.example/${key}?seconds=${seconds}`,
    }),
    objects: noStorage,
    uploadSessionSeconds: 86_400,
    selfDeletion: true,
    selfServiceKeys: true,
    randomBytes,
    notify: () => (notifications += 1),
    atTurnEnd: setImmediate,
    plans: { pro, free },
    effects,
    logger: silentLogger,
    metrics: createHttpMetrics(registry),
    unknownKeyMetrics: createUnknownKeyMetrics(registry),
    streamMetrics: createStreamMetrics(registry),
    maxStreams: 2_000,
    readiness: { state: 'serving' },
    draining: new AbortController().signal,
    // Tests read the present rows, so the cache is disabled.
    pollCacheMs: 0,
    pauses: { current: () => [] },
    postWebhook: loopbackWebhooks(effects.clock),
    // Leaves deliveries leased, as while an attempt is in flight.
    sendNow: () => undefined,
    userAgent: 'cloud-ffmpeg/test',
    // Tests' servers listen on loopback.
    addressRules: addressRules({ allowCidrs: ['127.0.0.0/8'], denyCidrs: [] }),
    serveUnderApi: true,
    corsOrigins: [],
    console: null,
    registration: null,
    trustedProxies: 0,
    ...change,
  }
  const { url, close } = await listenAt(
    '127.0.0.1',
    answerUnreadable(createServer(createApp(inGroups(own)))),
  )

  async function addAccount(name: string, plan: string, key: string): Promise<Account> {
    const account = await store.ensureAccount({ accountId: effects.newId(), name, plan })
    const { accountId } = account
    await store.ensureApiKey({ accountId, sha256: keyHash(key), environmentName: null })
    return account
  }

  const key = 'key-of-first'
  const call = (path: string, sent: Sent = {}) => checkedCall(url, path, { key, ...sent })
  const post = (path: string, body: unknown, sent: Sent = {}) =>
    call(path, { method: 'POST', body, ...sent })
  const { query } = database.database

  return {
    url,
    store,
    database,
    query,
    registry,
    age: (seconds) => ageDatabase(database.database, seconds),
    key,
    call,
    post,
    async submit(change = {}, sent = {}) {
      const { status, body } = await post(runPath, { ...submission, ...change }, sent)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return String(field(body, 'command_id'))
    },
    record: async (path, sent) => fieldsOf((await call(path, sent)).body),
    async list(path, sent) {
      const { status, body } = await call(path, sent)
      if (!Array.isArray(body)) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.map(fieldsOf)
    },
    remove: (path, sent = {}) => call(path, { method: 'DELETE', ...sent }),
    async count(table) {
      const statement = `select count(*)::int as rows from ${table}`
      const [counted] = await query<{ rows: number }>(`count_${table}`, statement)
      return counted?.rows ?? 0
    },
    async suspend(name) {
      await query('suspend', 'update accounts set suspended = true where name = $1', [name])
    },
    account: await addAccount('first', 'pro', key),
    notifications: () => notifications,
    addAccount,
    async close() {
      await close()
      if (replica === undefined) await database.close()
    },
  }
}
