import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startCluster, stopInstance } from '../../local-cluster/cluster.ts'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { startPostgres } from '../../local-cluster/servers/postgres.ts'
import { startS3 } from '../../local-cluster/servers/s3.ts'
import { installMissing, shellNeeds } from '../../local-cluster/tools/debian-packages.ts'
import { bringUp } from '../installation/bring-up.ts'
import { imagePrograms } from '../../images/image-programs.ts'
import { makeSamples } from './samples.ts'
import type { Cluster } from '../../local-cluster/host/types.ts'
import type { Postgres } from '../../local-cluster/servers/postgres.ts'
import type { S3 } from '../../local-cluster/servers/s3.ts'
import type { Installation } from '../installation/install.ts'

/** The one installation of all stories; processes that run stories side by side attach to it. */
export interface StoryInstallation {
  readonly cluster: Cluster
  readonly postgres: Postgres
  readonly s3: S3
  readonly installed: Installation
}

/** `E2E_INSTANCE` names another one, so that two checkouts can run stories side by side. */
export const instance = process.env['E2E_INSTANCE'] || 'test'
export const namespace = 'cloud-ffmpeg'
/** Input files of the stories. */
export const samples = path.resolve(import.meta.dirname, '../../.test-artifacts/samples')

const settings = clusterSettings(process.env)
const say = (text: string): void => console.log(`  [cluster] ${text}`)
const isKept = process.env['E2E_KEEP'] !== undefined

/**
 * Brings the installation up from nothing, or with `E2E_KEEP` where an earlier run left it.
 * @returns path of the file that `attachToInstallation` reads
 * @throws NoCluster where this machine lacks what a cluster needs
 */
export async function startInstallation(): Promise<string> {
  await rm(samples, { recursive: true, force: true })
  await mkdir(samples, { recursive: true })
  await installMissing(shellNeeds, say)
  if (!isKept) await stopInstance({ instance, settings, say })
  const { installed } = await bringUp({ instance, namespace, settings, say, values })
  await makeSamples(samples, await imagePrograms({ settings, say }))
  const file = path.join(samples, '..', 'installation.json')
  await writeFile(file, JSON.stringify(installed), { mode: 0o600 })
  return file
}

export async function attachToInstallation(file: string): Promise<StoryInstallation> {
  const installed = JSON.parse(await readFile(file, 'utf8')) as Installation
  const cluster = await startCluster({ instance, settings, say })
  const { hostAddress } = cluster
  const [postgres, s3] = await Promise.all([
    startPostgres({ instance, hostAddress, say }),
    startS3({ instance, hostAddress, settings, say }),
  ])
  return { cluster, postgres, s3, installed }
}

/** Removes everything, unless E2E_KEEP is set. */
export async function stopInstallation(): Promise<void> {
  if (!isKept) await stopInstance({ instance, settings, say })
}

/** Plan of accounts that run many small commands beside others. */
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

const values = {
  // Small enough that two commands can meet the account's quota on any machine.
  plans: {
    unlimited: { vcpuTotal: 8, vcpuPerCommand: 8 },
    small: smallPlan,
    patient: patientPlan,
  },
  runner: {
    // Full within seconds, without filling the machine's.
    scratchMbytes: 1024,
    // Pods of a story are those of its own commands; stories about runners that wait turn these on.
    warm: { max: 0 },
  },
  operator: { keepFinishedSeconds: 20, keepFinished: 0 },
}
