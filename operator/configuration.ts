import { isIPv6 } from 'node:net'
import type { ControllerSettings } from './controller/controller-deps.ts'
import type { GatewaySettings } from './gateway/calls/gateway-deps.ts'
import { queueNameProblem } from './resources/kueue.ts'
import type { KueueSettings } from './resources/kueue.ts'
import type { RunnerSettings, WarmSettings } from './resources/runner-settings.ts'
import { databaseUrls } from '../common/database/connection/database-access.ts'
import { largestVcpus } from '../common/domain/plans.ts'
import { deniedEndpoints } from '../common/network/network-settings.ts'
import { InvalidSettings } from '../common/settings/settings.ts'
import { leaderTiming, timingProblem } from './machinery/election/leader-timing.ts'
import type { LeaderTiming } from './machinery/election/leader-timing.ts'
import type { OperatorSettings } from './settings.ts'

/** Most files of an archive or of a command. */
const mostFiles = 10_000

/** The chart binds it to no role: commands are untrusted. */
export function runnerServiceAccount({ release }: OperatorSettings): string {
  return `${release.fullname}-runner`
}

export function leaseName({ release }: OperatorSettings): string {
  return `${release.fullname}-operator`
}

/** An Event in another namespace needs a ClusterRole. */
export function noticesForeign({ operator, rbac }: OperatorSettings): boolean {
  return operator.noticeForeign && rbac.clusterRoles
}

/** @throws InvalidSettings outside a pod of the chart */
export function ownPod({ environment }: OperatorSettings): { podName: string; podUid: string } {
  const podName = environment.CLOUD_FFMPEG_POD_NAME
  const podUid = environment.CLOUD_FFMPEG_POD_UID
  if (podName && podUid) return { podName, podUid }
  throw new InvalidSettings([
    'CLOUD_FFMPEG_POD_NAME and CLOUD_FFMPEG_POD_UID must name this pod; they are not both set: use the Deployment of the chart',
  ])
}

/** All but what changes while the operator runs. */
export function runnerSettings(settings: OperatorSettings): Omit<RunnerSettings, 'gatewayCa'> {
  return {
    namespace: settings.runner.namespace,
    release: settings.release.name,
    image: settings.runner.image,
    imagePullPolicy: settings.image.pullPolicy,
    imagePullSecrets: settings.runner.imagePullSecrets,
    serviceAccountName: runnerServiceAccount(settings),
    gatewayUrl: settings.gateway.url,
    trustCaConfigMap: settings.trust.caConfigMap || null,
    cpuRequestPerVcpu: Number(settings.runner.cpuRequestPerVcpu),
    memoryRequestPerVcpu: Number(settings.runner.memoryRequestPerVcpu),
    memoryPerVcpuMbytes: settings.runner.memoryPerVcpuMbytes,
    scratchMbytes: settings.runner.scratchMbytes,
    planScratchMbytes: Object.fromEntries(
      Object.entries(settings.plans).map(([name, { scratchMbytes }]) => [name, scratchMbytes]),
    ),
    scratchRequestMbytes: settings.runner.scratchRequestMbytes,
    scratchClaim: settings.runner.scratch.volumeClaim,
    extraResources: {},
    transferCpuMillis: settings.runner.transfer.cpuMillis,
    transferCpuRequestMillis: settings.runner.transfer.cpuRequestMillis,
    transferMemoryMbytes: settings.runner.transfer.memoryMbytes,
    maxAttempts: settings.operator.attempts,
    startAllowanceSeconds: settings.operator.startAllowanceSeconds,
    placeAllowanceSeconds: settings.operator.placeAllowanceSeconds,
    transferAllowanceSeconds: settings.runner.transferSeconds,
    nodeSelector: settings.runner.nodeSelector,
    tolerations: settings.runner.tolerations,
    priorityClassName: settings.runner.priorityClassName || null,
    runtimeClassName: settings.runner.runtimeClassName || null,
    hostUsers: settings.runner.hostUsers,
    priorityClasses: settings.runner.priorityClassNames,
    pod: settings.runner.pod,
    profiles: settings.runner.profiles,
    planProfiles: planProfiles(settings),
    kueue: kueueSettings(settings),
    warm: warmSettings(settings),
    maxPixels: settings.runner.maxPixels,
    sandbox: settings.runner.sandbox,
    failpoints: settings.environment.CLOUD_FFMPEG_RUNNER_FAILPOINTS || null,
  }
}

/** @throws InvalidSettings for a plan with an unknown profile, or a profile that falls back to one that it may not */
function planProfiles(settings: OperatorSettings): Record<string, string> {
  const profiles = settings.runner.profiles
  const named = Object.entries(settings.plans).flatMap(([plan, { profile }]): [string, string][] =>
    profile === null ? [] : [[plan, profile]],
  )
  const mistakes = named
    .filter(([, profile]) => !(profile in profiles))
    .map(
      ([plan, profile]) =>
        `plans.${plan}.profile must be one of runner.profiles; got '${profile}': add it to runner.profiles`,
    )
  for (const [name, { spot }] of Object.entries(profiles)) {
    const fallback = spot?.fallback ?? null
    if (fallback === null || (fallback in profiles && profiles[fallback]?.spot === undefined))
      continue
    mistakes.push(
      `runner.profiles.${name}.spot.fallback must be one of runner.profiles without spot; got '${fallback}': add it there`,
    )
  }
  if (mistakes.length > 0) throw new InvalidSettings(mistakes)
  return Object.fromEntries(named)
}

/** Kueue would not see a pod that takes a command without a Job being created for it. */
function warmSettings(settings: OperatorSettings): WarmSettings | null {
  const max = settings.runner.warm.max
  if (max === 0 || settings.queue.kueue.enabled) return null
  const plans = settings.plans
  return {
    min: Math.min(settings.runner.warm.min, max),
    max,
    vcpu: Math.min(settings.runner.warm.vcpu, largestVcpus(plans)),
    reserve: Number(settings.runner.warm.reserve),
    maxAgeSeconds: settings.runner.warm.maxAgeSeconds,
    idleSeconds: settings.runner.warm.idleSeconds,
    // A warm runner is created before its command is known, so it has no profile.
    coldPlans: Object.keys(plans).filter(
      (name) => plans[name]?.warm === false || (plans[name]?.profile ?? null) !== null,
    ),
  }
}

/** @throws InvalidSettings where the three durations do not fit together */
export function electionTiming(settings: OperatorSettings): LeaderTiming {
  const seconds = {
    leaseSeconds: settings.operator.leaseSeconds,
    renewSeconds: settings.operator.renewSeconds,
    stopSeconds: settings.operator.stopSeconds,
  }
  const problem = timingProblem(seconds)
  if (problem !== null) throw new InvalidSettings([problem])
  return leaderTiming(seconds)
}

export function controllerSettings(
  settings: OperatorSettings,
  gatewayCa: RunnerSettings['gatewayCa'],
): ControllerSettings {
  return {
    runner: { ...runnerSettings(settings), gatewayCa },
    publicBaseUrl: settings.storage.publicBaseUrl,
    jobTtlSeconds: 60,
    // Time for kubectl logs.
    failedJobTtlSeconds: 600,
    imports: importSettings(settings),
    admission: admissionSettings(settings),
    finished: {
      olderThanSeconds: settings.operator.keepFinishedSeconds,
      keepNewest: settings.operator.keepFinished,
      keepSeconds: 3_600,
    },
    resultObjects: settings.storage.resultObjects,
    sweepObjectsAfterSeconds: sweepSeconds(settings),
  }
}

function importSettings(settings: OperatorSettings): ControllerSettings['imports'] {
  const bindings = settings.accountPolicy.bindings
  return {
    accounts: {
      defaultAccount: settings.operator.defaultAccount,
      allowed: settings.operator.appliedAccounts,
      bindings: new Map(bindings.map(({ namespace, accounts }) => [namespace, accounts])),
    },
    storageBases: storageBases(settings),
  }
}

const secondsPerMinute = 60

/** Capacity, shares and reserve are Kueue's where it queues the Jobs. */
function admissionSettings(settings: OperatorSettings): ControllerSettings['admission'] {
  const isOwn = !settings.queue.kueue.enabled
  return {
    liveJobs: liveJobs(settings),
    liveFileJobs: settings.operator.liveFileJobs,
    capacityVcpus: isOwn ? settings.operator.capacityVcpus : null,
    learnsCapacity: isOwn,
    reservedShare: isOwn ? Number(settings.operator.reservedShare) : 0,
    reserveSeconds: settings.operator.reserveMinutes * secondsPerMinute,
    passSeconds: settings.operator.passSeconds,
    unplacedPods: settings.operator.unplacedPods,
    startingPods: isOwn ? settings.operator.startingPods : null,
  }
}

/** A suspended Job costs no node. */
export function liveJobs(settings: OperatorSettings): number {
  return settings.operator.liveJobs ?? (settings.queue.kueue.enabled ? 2_000 : 500)
}

/** @throws InvalidSettings */
function kueueSettings(settings: OperatorSettings): KueueSettings | null {
  if (!settings.queue.kueue.enabled) return null
  const queueName = settings.queue.kueue.queueName
  const problem = queueNameProblem(queueName, Object.keys(settings.plans))
  if (problem !== null) {
    throw new InvalidSettings([`queue.kueue.queueName '${queueName}' ${problem}`])
  }
  return {
    queueName,
    priorityClasses: settings.queue.kueue.priorityClasses,
    maxEvictions: settings.queue.kueue.maxEvictions,
  }
}

/** A PUT that begins in the last second of its URL takes up to ten minutes. */
const longestPutSeconds = 600

/**
 * Seconds from the loss of an attempt to its sweep. The sweep lists the attempt's objects once, so it
 * must not begin while a URL of the attempt can still store one.
 * @throws InvalidSettings
 */
function sweepSeconds(settings: OperatorSettings): number {
  const sweep = settings.storage.sweepObjectsSeconds
  const least = settings.storage.putUrlSeconds + longestPutSeconds
  if (sweep >= least) return sweep
  throw new InvalidSettings([
    `storage.sweepObjectsSeconds must be at least storage.putUrlSeconds + ${longestPutSeconds}, ${least}; got ${sweep}: raise it`,
  ])
}

/** Address at which warm runners reach the gateway of this very process; null: its pod's address is unknown. */
export function gatewayAddress(settings: OperatorSettings): string | null {
  const ip = settings.environment.CLOUD_FFMPEG_POD_IP
  if (!ip) return null
  return `${isIPv6(ip) ? `[${ip}]` : ip}:${settings.gateway.listenPort}`
}

/**
 * Folder of the gateway's certificate; null: plain HTTP
 * @throws InvalidSettings where runners would speak the other protocol
 */
export function gatewayTlsFolder(settings: OperatorSettings): string | null {
  const folder = settings.environment.CLOUD_FFMPEG_GATEWAY_TLS_FOLDER || null
  const isSecure = settings.gateway.url.startsWith('https:')
  if (isSecure === (folder !== null)) return folder
  throw new InvalidSettings([
    'TLS of the gateway needs CLOUD_FFMPEG_GATEWAY_TLS_FOLDER and a gateway.url with https together; set both or neither',
  ])
}

export function gatewaySettings(settings: OperatorSettings): GatewaySettings {
  return {
    plans: settings.plans,
    storageBases: storageBases(settings),
    network: {
      allowCidrs: settings.network.allowCidrs,
      denyCidrs: settings.network.denyCidrs,
      denyEndpoints: [...ownEndpoints(settings), ...deniedEndpoints(settings)],
    },
    overlap: {
      inputs: settings.runner.overlap.inputs,
      outputs: settings.runner.overlap.outputs,
    },
    fileCount: mostFiles,
    maxPixels: settings.runner.maxPixels,
    fullFetchBytes: settings.analysis.fullFetchBytes,
    putUrlSeconds: settings.storage.putUrlSeconds,
    runner: runnerSettings(settings),
  }
}

/**
 * Database, its pooler and gateway as `host:port`: an allowed private range may contain them, but an input URL
 * must not reach them. The storage is not in the list: URLs below it are looked up, never fetched.
 */
function ownEndpoints(settings: OperatorSettings): string[] {
  const databases = databaseUrls(settings).map((url) => new URL(url))
  const gateway = new URL(settings.gateway.url)
  return [
    ...databases.map(({ hostname, port }) => `${hostname}:${port || '5432'}`),
    `${gateway.hostname}:${gateway.port || (gateway.protocol === 'https:' ? '443' : '80')}`,
  ]
}

/** All addresses below which a URL is one of our own files, for every account. */
function storageBases(settings: OperatorSettings): string[] {
  const bucket = settings.storage.bucket
  const endpoints = [settings.storage.endpoint, settings.storage.publicEndpoint].filter(
    (endpoint) => endpoint !== '',
  )
  const bases = endpoints.map((endpoint) => {
    const url = new URL(endpoint)
    const prefix = `/${settings.storage.prefix}`.replace(/\/+$/, '')
    if (settings.storage.pathStyle) {
      return `${endpoint.replace(/\/+$/, '')}/${bucket}${prefix}`
    }
    url.host = `${bucket}.${url.host}`
    return url.href.replace(/\/+$/, '') + prefix
  })
  return [...new Set([settings.storage.publicBaseUrl, ...bases])]
}
