import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { createClient } from '../../cli/client/client.ts'
import { NoCluster } from '../cluster/host/types.ts'
import { stopInstance } from '../cluster/cluster.ts'
import { clusterSettings } from '../cluster/host/settings.ts'
import { installMissing, shellNeeds } from '../cluster/tools/debian-packages.ts'
import { imagePrograms } from '../installation/image-programs.ts'
import { bringUp } from '../installation/bring-up.ts'
import { kubectl } from '../installation/install.ts'
import { startOrigin } from './origin.ts'
import { makeSamples } from './samples.ts'
import type { Client } from '../../cli/client/client.ts'
import type { Cluster } from '../cluster/host/types.ts'
import type { Postgres } from '../cluster/servers/postgres.ts'
import type { S3 } from '../cluster/servers/s3.ts'
import type { ImagePrograms } from '../installation/image-programs.ts'
import type { Installation } from '../installation/install.ts'
import type { Origin } from './origin.ts'

/** One installation that all stories share, as the tenants of a real one do. */
export interface Environment {
  readonly cluster: Cluster
  readonly postgres: Postgres
  readonly s3: S3
  readonly installed: Installation
  readonly client: Client
  readonly programs: ImagePrograms
  readonly origin: Origin
  /** A folder of files that `origin` serves. */
  readonly folder: string
  /** Runs kubectl in the installation's namespace. */
  kubectl(...args: string[]): Promise<string>
  apply(object: object): Promise<string>
}

/** `E2E_INSTANCE` names another one, so that two checkouts can run stories side by side. */
export const instance = process.env['E2E_INSTANCE'] || 'test'
const namespace = 'cloud-ffmpeg'
const artifacts = path.resolve(import.meta.dirname, '../../.test-artifacts')
const settings = clusterSettings(process.env)
const say = (text: string): void => console.log(`  [cluster] ${text}`)

let started: Promise<Environment> | undefined

/** Starts it at the first call; each story calls it in a `before`. */
export function environment(context: Mocha.Context): Promise<Environment> {
  return orSkip(context, () => {
    started ??= start()
    return started
  })
}

/** Gives the surrounding `describe` the installation, which hooks and tests alone may read. */
export function useEnvironment(): Environment {
  const env = {} as Environment
  before(async function () {
    Object.assign(env, await environment(this))
  })
  return env
}

/** Removes everything, unless E2E_KEEP is set to keep it for inspection. */
export async function stopEnvironment(): Promise<void> {
  if (started === undefined) return
  const running = await started.catch(() => null)
  await running?.origin.close()
  if (process.env['E2E_KEEP'] === undefined) await stopInstance({ instance, settings, say })
}

async function start(): Promise<Environment> {
  await rm(artifacts, { recursive: true, force: true })
  await mkdir(artifacts, { recursive: true })
  await installMissing(shellNeeds, say)
  const fresh = process.env['E2E_KEEP'] === undefined
  if (fresh) await stopInstance({ instance, settings, say })
  const { cluster, postgres, s3, installed } = await bringUp({
    ...{ instance, namespace, settings, say },
    // Small enough that two commands can meet the account's quota on any machine.
    values: {
      plans: {
        unlimited: { vcpuTotal: 8, vcpuPerCommand: 8 },
        small: smallPlan,
        patient: patientPlan,
      },
      // Full within seconds, without filling the machine's.
      runner: { scratchMbytes: 1024 },
      operator: { keepFinishedSeconds: 20, keepFinished: 0 },
    },
  })
  const programs = await imagePrograms({ settings, say })
  await makeSamples(artifacts, programs)
  const origin = await startOrigin({ address: cluster.hostAddress, folder: artifacts })
  return {
    ...{ cluster, postgres, s3, installed, programs, origin, folder: artifacts },
    client: createClient({ url: installed.url, apiKey: installed.apiKey }),
    kubectl: (...args) => kubectl(cluster, ['-n', namespace, ...args]),
    apply: (object) =>
      kubectl(cluster, ['-n', namespace, 'apply', '-f', '-'], JSON.stringify(object)),
  }
}

/** For accounts that run many small commands beside others. */
const patientPlan = {
  // Above what one command takes: the pod of the one before holds its vCPUs until it has ended.
  vcpuTotal: 16,
  vcpuPerCommand: 2,
  maxRunSeconds: 60,
  chained: false,
  uploads: false,
  private: false,
  webhooks: false,
}

/** Everything is in it, and little of everything. */
const smallPlan = {
  processingMbytes: 2,
  storageMbytes: 2,
  vcpuPerCommand: 2,
  vcpuTotal: 4,
  maxRunSeconds: 30,
  submissionsPerMinute: 10,
  readsPerMinute: 6000,
  maxFileMbytes: 1,
  chained: true,
  uploads: true,
  private: true,
  webhooks: true,
}

/**
 * Where this machine lacks what the stories need, they are skipped and counted as not run; in CI
 * that is a failure.
 */
export async function orSkip<T>(context: Mocha.Context, prepare: () => Promise<T>): Promise<T> {
  context.timeout(0)
  try {
    return await prepare()
  } catch (error) {
    if (!(error instanceof NoCluster) || process.env['CI'] !== undefined) throw error
    console.log(`  ${error.message}`)
    return context.skip()
  }
}

/** At the root: the stories share one cluster, which the last of them ends. */
after(async function () {
  this.timeout(120_000)
  await stopEnvironment()
})
