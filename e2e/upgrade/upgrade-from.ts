import { createClient } from '../../cli/client/client.ts'
import { startCluster, stopInstance } from '../../local-cluster/cluster.ts'
import { publishedNodePort } from '../../local-cluster/host/types.ts'
import { runCommand, succeeds } from '../../local-cluster/host/run-command.ts'
import { startPostgres } from '../../local-cluster/servers/postgres.ts'
import { startS3 } from '../../local-cluster/servers/s3.ts'
import { buildImagesAndS3 } from '../../images/build-images.ts'
import { chart, ensureNamespace, kubectl, merge, untilReachable } from '../installation/install.ts'
import { startReceiver } from '../steps/receiver.ts'
import { runsFor, untilEnd } from '../steps/submit-and-wait.ts'
import { eventually } from '../steps/eventually.ts'
import { earlierRelease } from './earlier-release.ts'
import { submitEachSecond } from './submit-each-second.ts'
import type { EarlierRelease } from './earlier-release.ts'
import type { Cluster } from '../../local-cluster/host/types.ts'
import type { ClusterSettings } from '../../local-cluster/host/settings.ts'
import type { Say } from '../../local-cluster/host/progress.ts'
import type { Values } from '../installation/install.ts'

const namespace = 'cloud-ffmpeg'
/** Seconds of FFmpeg of one command after the other. */
const lengths = [1, 2, 1, 5, 1, 2, 20, 1, 2, 60]
const withoutUpgradeMs = 30_000

export interface UpgradeReport {
  readonly commands: number
  readonly refused: readonly string[]
  /** Ends that were not SUCCESS at the first attempt. */
  readonly others: readonly string[]
  readonly eventsMissing: number
  readonly eventsTwice: number
  /** Time from submission to start of FFmpeg. */
  readonly longestWaitSeconds: number
  readonly steps: readonly { readonly name: string; readonly seconds: number }[]
  /** Output of `admin check` at the end, and whether it ended with 0. */
  readonly check: { readonly passed: boolean; readonly output: string }
}

/**
 * The releases of a real installation: the earlier one, this one, a rollback, this one again, with a submission each
 * second from the first to the last. The values are the same for both, but for the tags of the images.
 */
export async function upgradeFrom(
  ref: string,
  options: { readonly instance: string; readonly settings: ClusterSettings; readonly say: Say },
): Promise<UpgradeReport> {
  const { instance, settings, say } = options
  const building = buildImagesAndS3({ settings, say })
  const now = { chart, images: await building.images }
  await building.s3
  const earlier = await earlierRelease(ref, { settings, say })
  await stopInstance({ instance, settings, say })
  const cluster = await startCluster({ instance, settings, say })
  try {
    for (const { images } of [earlier, now]) {
      for (const { archive, name } of Object.values(images)) await cluster.loadImage(archive, name)
    }
    return await run({ ...options, cluster, earlier, now })
  } finally {
    if (process.env['E2E_KEEP'] === undefined) await stopInstance({ instance, settings, say })
  }
}

async function run({
  cluster,
  earlier,
  now,
  instance,
  settings,
  say,
}: {
  readonly cluster: Cluster
  readonly earlier: EarlierRelease
  readonly now: EarlierRelease
  readonly instance: string
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<UpgradeReport> {
  const { hostAddress } = cluster
  const values = await valuesFor(cluster, { instance, settings, say })
  const steps: { name: string; seconds: number }[] = []
  const step = async (name: string, ...helm: [readonly string[], Values?]): Promise<void> => {
    say(name)
    const beganMs = performance.now()
    const [args, more] = helm
    await runCommand(
      cluster.helm,
      [...args, '--namespace', namespace, '--wait', '--timeout', '240s'],
      {
        env: { KUBECONFIG: cluster.kubeconfig },
        ...(more === undefined ? {} : { input: JSON.stringify(more) }),
      },
    )
    steps.push({ name, seconds: (performance.now() - beganMs) / 1_000 })
  }
  const release = (name: string, { chart: folder, images }: EarlierRelease): Promise<void> =>
    step(
      name,
      ['upgrade', '--install', 'cloud-ffmpeg', folder, '--values', '-'],
      merge(values, tagsOf(images)),
    )

  await ensureNamespace(cluster, namespace)
  await release('install the earlier release', earlier)
  await untilReachable(cluster)
  const url = cluster.publishedUrl
  const secret = ['-n', namespace, 'get', 'secret', 'cloud-ffmpeg-bootstrap', '-o']
  const key = 'go-template={{index .data "api-key" | base64decode}}'
  const apiKey = await kubectl(cluster, [...secret, key])
  const receiver = await startReceiver(hostAddress, [204])
  const submitting = submitEachSecond({ url, apiKey }, (number) => ({
    ...runsFor(lengths[number % lengths.length] ?? 1),
    webhook_url: receiver.url,
  }))
  const pause = () => new Promise((resume) => setTimeout(resume, withoutUpgradeMs))
  try {
    await pause()
    await release('upgrade', now)
    await pause()
    await step('roll back', ['rollback', 'cloud-ffmpeg'])
    await pause()
    await release('upgrade again', now)
    await pause()
  } finally {
    await submitting.stop()
  }
  const client = createClient({ url, apiKey })
  const records = await Promise.all(submitting.accepted.map((id) => untilEnd(client, id, 600)))
  await eventually('all events have arrived', async () => receiver.calls.length >= records.length)
  const events = receiver.calls.map(({ headers }) => headers['webhook-id'] ?? '')
  await receiver.close()
  return {
    commands: records.length,
    refused: submitting.refused,
    others: records
      .filter(({ status, attempts }) => status !== 'SUCCESS' || attempts !== 1)
      .map(({ command_id, status, attempts, error_message }) =>
        [command_id, status, `${attempts} attempts`, error_message].join(' '),
      ),
    eventsMissing: records.length - new Set(events).size,
    eventsTwice: events.length - new Set(events).size,
    longestWaitSeconds: Math.max(
      ...records.map(({ created_at, started_at }) => secondsBetween(created_at, started_at)),
    ),
    steps,
    check: await adminCheck(cluster),
  }
}

/** A failed check says on stdout what differs, which the error of a command leaves out. */
async function adminCheck(cluster: Cluster): Promise<UpgradeReport['check']> {
  const admin = ['exec', 'deploy/cloud-ffmpeg-api-server', '--', 'node', 'main.ts', 'admin']
  const lines: string[] = []
  const passed = await succeeds(
    cluster.kubectl,
    ['--kubeconfig', cluster.kubeconfig, '-n', namespace, ...admin, 'check'],
    { onLine: (line) => lines.push(line) },
  )
  return { passed, output: lines.join('\n') }
}

/** Values that both releases know. */
async function valuesFor(
  cluster: Cluster,
  { instance, settings, say }: { instance: string; settings: ClusterSettings; say: Say },
): Promise<Values> {
  const { hostAddress } = cluster
  const [postgres, s3] = await Promise.all([
    startPostgres({ instance, hostAddress, say }),
    startS3({ instance, hostAddress, settings, say }),
  ])
  const bucket = `cloud-ffmpeg-${instance}`
  await s3.createBucket(bucket, { publicPrefix: 'public/' })
  const { endpoint, region, accessKeyId, secretAccessKey } = s3
  return {
    image: { registry: cluster.registry, pullPolicy: 'Never' },
    database: { url: await postgres.createDatabase(`cloud_ffmpeg_${instance}`) },
    storage: { endpoint, bucket, region, accessKeyId, secretAccessKey },
    apiServer: { replicas: 2, service: { type: 'NodePort', nodePort: publishedNodePort } },
    operator: { replicas: 1 },
    runner: { cpuRequestPerVcpu: 0.02 },
    network: { allowCidrs: [`${hostAddress}/32`] },
  }
}

function tagsOf(images: EarlierRelease['images']): Values {
  const tag = ({ name }: { readonly name: string }) => ({
    tag: name.slice(name.lastIndexOf(':') + 1),
  })
  return {
    apiServer: tag(images.apiServer),
    operator: tag(images.operator),
    runner: tag(images.runner),
  }
}

function secondsBetween(from: string, to: string | null): number {
  return to === null ? Infinity : (Date.parse(to) - Date.parse(from)) / 1_000
}
