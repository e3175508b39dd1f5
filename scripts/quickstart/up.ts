import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { createClient } from '../../cli/exports/index.ts'
import type { Cluster } from '../../local-cluster/host/types.ts'
import { NoCluster } from '../../local-cluster/host/types.ts'
import { installMissing, shellNeeds } from '../../local-cluster/tools/debian-packages.ts'
import { bringUp } from '../../e2e/installation/bring-up.ts'
import { kubectl } from '../../e2e/installation/install.ts'
import type { Installation } from '../../e2e/installation/install.ts'
import { imagePrograms } from '../../images/image-programs.ts'
import { againAsRoot, giveToUser } from './by-sudo.ts'
import { chosenSettings, endWithoutCluster } from './chosen-settings.ts'
import { environmentFile, valueIn } from './environment-file.ts'
import { follow } from './follow.ts'
import { freeAccountKey } from './free-account.ts'
import { nextSteps, table } from './summary.ts'
import { makeSamples, storeSamples } from './store-samples.ts'
import { sampleCommands } from './sample-commands.ts'
import { verifyDownload } from './verify-download.ts'

/** Sets up cluster, database, S3, images and chart, runs two commands and verifies their results. */
const instance = 'quickstart'
const namespace = 'cloud-ffmpeg'
const folder = path.resolve(import.meta.dirname, '../../.quickstart')
const sampleFolder = path.join(folder, 'samples')
const begun = performance.now()
const say = (text: string): void => console.log(`${seconds().padStart(6)} s  ${text}`)

/** CPU requests: of both servers, and of a runner of one vCPU, with 60 for its transfers: two commands of 8 vCPUs fit two cores. */
const millis = { servers: 500, runner: 80 }
/**
 * Number of runners of one vCPU for which this machine has room. An account leaves a part of it to others that
 * submitted of late only if the size is known before the machine is full.
 */
const capacityVcpus = Math.floor((1_000 * availableParallelism() - millis.servers) / millis.runner)
/** One for each core; an account leaves one of them to another that submitted of late. */
const startingPods = Math.max(2, availableParallelism())

const settings = chosenSettings(process.argv.slice(2))
await againAsRoot(settings)
/** One runner waits, at about 30 MB, so that a short command shows how fast it can be. */
const runner = { warm: { min: 1, max: 1 }, transfer: { cpuRequestMillis: 60 } }
const shared = {
  runner,
  console: { keyHelp: 'Quickstart wrote the key into a file of its clone: cat .quickstart/env' },
  accounts: { selfServiceKeys: true },
}
const values =
  settings.provider === 'kubeconfig'
    ? shared
    : { ...shared, operator: { capacityVcpus, startingPods } }
const [{ cluster, s3, installed }, programs] = await Promise.all([
  bringUp({ instance, namespace, settings, say, values }).catch(endWithoutCluster),
  prepareSamples(),
  installShellTools(),
])
const earlier = await readFile(path.join(folder, 'env'), 'utf8').catch(() => '')
const client = createClient({ url: installed.url, apiKey: installed.apiKey })
const samples = await storeSamples({ s3, folder: sampleFolder })
const sample = `${samples}/film.mp4`
const records = []
for (const { title, submission } of sampleCommands(sample)) {
  const { command_id } = await client.submit(submission)
  say(`submitted ${title}: ${command_id}`)
  records.push({ title, record: await follow({ client, commandId: command_id, say }) })
  if (records.length === 1) say(`first command finished ${seconds()} s after the start`)
}
console.log(`\n${table(records)}\n`)
console.log(await kubectl(cluster, ['-n', namespace, 'get', 'ffmpegcommands']))
for (const { title, record } of records) await verifyDownload({ title, record, programs, say })
await writeEnvironment(cluster, installed)
await giveToUser(folder)
console.log(nextSteps({ url: installed.url, apiKey: installed.apiKey, namespace, sample }))

/** Runs during the builds: FFmpeg's image is ready long before Kubernetes. */
async function prepareSamples() {
  const programs = await imagePrograms({ settings, say })
  await makeSamples({ programs, folder: sampleFolder, say })
  return programs
}

/** Best-effort: the README's commands need curl and jq, but quickstart does not. */
async function installShellTools(): Promise<void> {
  try {
    await installMissing(shellNeeds, say)
  } catch (error) {
    if (!(error instanceof NoCluster)) throw error
    say(`for the commands of README.md, ${error.message}`)
  }
}

async function writeEnvironment(cluster: Cluster, installed: Installation): Promise<void> {
  await mkdir(folder, { recursive: true })
  const kubeconfig = await readableKubeconfig(cluster)
  const { url } = installed
  const known = valueIn(earlier, 'CLOUD_FFMPEG_FREE_API_KEY')
  const content = environmentFile({
    CLOUD_FFMPEG_URL: url,
    CLOUD_FFMPEG_API_KEY: installed.apiKey,
    CLOUD_FFMPEG_FREE_API_KEY: await freeAccountKey({ cluster, namespace, url, known, say }),
    CLOUD_FFMPEG_HOST_ADDRESS: cluster.hostAddress,
    SAMPLE: sample,
    SAMPLES: samples,
    KUBECONFIG: kubeconfig,
    programs: [cluster.kubectl, cluster.helm],
  })
  await writeFile(path.join(folder, 'env'), content, { mode: 0o600 })
}

/** The one of a local cluster is closed to a user who called sudo; any other may name files beside it. */
async function readableKubeconfig({ provider, kubeconfig }: Cluster): Promise<string> {
  if (provider !== 'local') return kubeconfig
  const copy = path.join(folder, 'kubeconfig')
  await copyFile(kubeconfig, copy)
  return copy
}

function seconds(): string {
  return ((performance.now() - begun) / 1000).toFixed(1)
}
