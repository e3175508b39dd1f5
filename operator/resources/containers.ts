import type { V1Container, V1PodSecurityContext, V1SecurityContext } from '@kubernetes/client-node'
import { mostPixels } from './limits.ts'
import type { RunnerLimits } from './limits.ts'
import type { RunnerSettings } from './runner-settings.ts'
import { ffmpegMounts, tokenFile, transferMounts, trustFile } from './volumes.ts'

/**
 * Both start together: each hand-over between init containers costs up to a second. No command, URL
 * or secret is in the pod's spec; permission to read pods reveals nothing about what they run.
 */
export function containersFor(limits: RunnerLimits, settings: RunnerSettings): V1Container[] {
  return [transferContainer(settings), ffmpegContainer(limits, settings)]
}

/** Requests and limits of the two containers of a command's runner. */
export function resourcesFor(
  limits: ContainerLimits,
  settings: RunnerSettings,
): { transfer: Resources; ffmpeg: Resources } {
  return { transfer: transferResources(settings), ffmpeg: ffmpegResources(limits, settings) }
}

function transferContainer(settings: RunnerSettings): V1Container {
  const args = ['/app/transfer.mjs', '--gateway', settings.gatewayUrl, '--token-file', tokenFile]
  // The text: runners in other namespaces could not mount the Secret of the gateway.
  const ca = settings.gatewayCa()
  // One argument holds name and value: PEM begins with dashes, as an option does.
  if (ca !== null) args.push(`--gateway-ca=${ca}`)
  return {
    ...commonTo(settings),
    name: 'transfer',
    args,
    ...environmentOf(settings),
    resources: transferResources(settings),
    volumeMounts: transferMounts,
  }
}

/** Node reads its own variable once, at its start, and adds the authorities to those that it has. */
function environmentOf({ failpoints, trustCaConfigMap }: RunnerSettings): Pick<V1Container, 'env'> {
  const env = [
    { name: 'CLOUD_FFMPEG_FAILPOINTS', value: failpoints },
    { name: 'NODE_EXTRA_CA_CERTS', value: trustCaConfigMap === null ? null : trustFile },
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))
  return env.length === 0 ? {} : { env }
}

/**
 * The request may be above its share of the limit: next to busy FFmpegs the kernel weighs
 * containers by their requests, and a transfer that waits for a CPU delays the whole runner.
 */
function transferResources(settings: RunnerSettings): Resources {
  const { transferCpuMillis, transferCpuRequestMillis, transferMemoryMbytes } = settings
  const { limits, requests } = resources(
    { cpuMillis: transferCpuMillis, memoryMbytes: transferMemoryMbytes, disk: diskOf(settings) },
    settings,
  )
  if (transferCpuRequestMillis === null) return { limits, requests }
  const cpu = `${Math.min(transferCpuRequestMillis, transferCpuMillis)}m`
  return { limits, requests: { ...requests, cpu } }
}

/**
 * The kubelet counts the disk of a pod as one sum, of volumes, logs and what containers write, and
 * evicts it above the sum of its containers' limits. One of the two carries the working disk for both.
 */
function diskOf({ scratchMbytes, scratchRequestMbytes, scratchClaim }: RunnerSettings): DiskMbytes {
  // A claimed volume takes nothing of the node's own disk.
  const limit = (scratchClaim === null ? scratchMbytes : 0) + besideScratchMbytes
  return { limit, request: Math.min(scratchRequestMbytes ?? limit, limit) }
}

/** Logs, the temporary folder, and the bytes written before a full working disk is noticed. */
const besideScratchMbytes = 512

/** FFmpeg's container writes its log alone; its root is read-only. */
const ffmpegDisk: DiskMbytes = { limit: 64, request: 64 }

/** Amounts of CPU, memory and disk, each a quantity as Kubernetes reads it. */
export interface Resources {
  readonly limits: Amounts
  readonly requests: Amounts
}

type Amounts = Record<'cpu' | 'memory' | 'ephemeral-storage', string> & Record<string, string>

interface DiskMbytes {
  readonly limit: number
  readonly request: number
}

type ContainerLimits = Pick<RunnerLimits, 'cpus' | 'memoryMbytes'>

function ffmpegResources(
  { cpus, memoryMbytes }: ContainerLimits,
  settings: RunnerSettings,
): Resources {
  const { limits, requests } = resources(
    { cpuMillis: cpus * 1000, memoryMbytes, disk: ffmpegDisk },
    settings,
  )
  // Kubernetes takes an extended resource only where the request equals the limit.
  const extra = Object.fromEntries(
    Object.entries(settings.extraResources).map(([name, count]) => [name, String(count)]),
  )
  return { limits: { ...limits, ...extra }, requests: { ...requests, ...extra } }
}

function ffmpegContainer(limits: RunnerLimits, settings: RunnerSettings): V1Container {
  return {
    ...commonTo(settings),
    name: 'ffmpeg',
    args: [
      '/app/supervisor.mjs',
      '--sandbox',
      settings.sandbox,
      '--max-pixels',
      String(mostPixels(settings, limits.memoryMbytes)),
      // An argument, because the environment of this container is empty on purpose.
      ...(settings.failpoints === null ? [] : ['--failpoints', settings.failpoints]),
    ],
    resources: ffmpegResources(limits, settings),
    volumeMounts: ffmpegMounts,
  }
}

function commonTo(settings: RunnerSettings): Omit<V1Container, 'name'> {
  return {
    image: settings.image,
    imagePullPolicy: settings.imagePullPolicy,
    securityContext: settings.pod.containerSecurityContext ?? containerSecurityContext,
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  }
}

function resources(
  {
    cpuMillis,
    memoryMbytes,
    disk,
  }: {
    readonly cpuMillis: number
    readonly memoryMbytes: number
    readonly disk: DiskMbytes
  },
  { cpuRequestPerVcpu, memoryRequestPerVcpu }: RunnerSettings,
): Resources {
  return {
    limits: {
      cpu: `${cpuMillis}m`,
      memory: `${memoryMbytes}Mi`,
      'ephemeral-storage': `${disk.limit}Mi`,
    },
    requests: {
      cpu: `${Math.max(1, Math.round(cpuMillis * cpuRequestPerVcpu))}m`,
      memory: `${Math.max(1, Math.round(memoryMbytes * memoryRequestPerVcpu))}Mi`,
      'ephemeral-storage': `${disk.request}Mi`,
    },
  }
}

const runnerUser = 10001

/** Both satisfy the *restricted* Pod Security Standard. */
export const podSecurityContext: V1PodSecurityContext = {
  runAsNonRoot: true,
  runAsUser: runnerUser,
  runAsGroup: runnerUser,
  fsGroup: runnerUser,
  seccompProfile: { type: 'RuntimeDefault' },
}

export const containerSecurityContext: V1SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}
