import { isIPv6 } from 'node:net'
import type { ControllerSettings } from './controller/controller-deps.ts'
import type { GatewaySettings } from './gateway/calls/gateway-deps.ts'
import { queueNameProblem } from './resources/kueue.ts'
import type { KueueSettings } from './resources/kueue.ts'
import type { RunnerSettings, WarmSettings } from './resources/runner-settings.ts'
import { databaseUrls } from '../common/database/connection/database-variables.ts'
import { largestVcpus } from '../common/domain/plans.ts'
import { InvalidSettings } from '../common/settings/settings.ts'
import { leaderTiming, timingProblem } from './machinery/election/leader-timing.ts'
import type { LeaderTiming } from './machinery/election/leader-timing.ts'
import type { OperatorSettings } from './settings.ts'

/** All but what changes while the operator runs. */
export function runnerSettings(settings: OperatorSettings): Omit<RunnerSettings, 'gatewayCa'> {
  return {
    namespace: settings.CLOUD_FFMPEG_NAMESPACE,
    release: settings.CLOUD_FFMPEG_RELEASE ?? null,
    image: settings.CLOUD_FFMPEG_RUNNER_IMAGE,
    imagePullPolicy: settings.CLOUD_FFMPEG_RUNNER_IMAGE_PULL_POLICY,
    imagePullSecrets: settings.CLOUD_FFMPEG_RUNNER_IMAGE_PULL_SECRETS,
    serviceAccountName: settings.CLOUD_FFMPEG_RUNNER_SERVICE_ACCOUNT,
    gatewayUrl: settings.CLOUD_FFMPEG_GATEWAY_URL,
    trustCaConfigMap: settings.CLOUD_FFMPEG_TRUST_CA_CONFIG_MAP ?? null,
    cpuRequestPerVcpu: settings.CLOUD_FFMPEG_CPU_REQUEST_PER_VCPU,
    memoryRequestPerVcpu: settings.CLOUD_FFMPEG_MEMORY_REQUEST_PER_VCPU,
    memoryPerVcpuMbytes: settings.CLOUD_FFMPEG_MEMORY_PER_VCPU_MBYTES,
    scratchMbytes: settings.CLOUD_FFMPEG_SCRATCH_MBYTES,
    planScratchMbytes: Object.fromEntries(
      Object.entries(settings.CLOUD_FFMPEG_PLANS).map(([name, { scratchMbytes }]) => [
        name,
        scratchMbytes,
      ]),
    ),
    scratchRequestMbytes: settings.CLOUD_FFMPEG_SCRATCH_REQUEST_MBYTES ?? null,
    scratchClaim: settings.CLOUD_FFMPEG_SCRATCH_CLAIM ?? null,
    extraResources: {},
    transferCpuMillis: settings.CLOUD_FFMPEG_TRANSFER_CPU_MILLIS,
    transferCpuRequestMillis: settings.CLOUD_FFMPEG_TRANSFER_CPU_REQUEST_MILLIS ?? null,
    transferMemoryMbytes: settings.CLOUD_FFMPEG_TRANSFER_MEMORY_MBYTES,
    maxAttempts: settings.CLOUD_FFMPEG_MAX_ATTEMPTS,
    startAllowanceSeconds: settings.CLOUD_FFMPEG_START_ALLOWANCE_SECONDS,
    placeAllowanceSeconds: settings.CLOUD_FFMPEG_PLACE_ALLOWANCE_SECONDS ?? null,
    transferAllowanceSeconds: settings.CLOUD_FFMPEG_TRANSFER_ALLOWANCE_SECONDS,
    nodeSelector: settings.CLOUD_FFMPEG_RUNNER_NODE_SELECTOR,
    tolerations: settings.CLOUD_FFMPEG_RUNNER_TOLERATIONS,
    priorityClassName: settings.CLOUD_FFMPEG_RUNNER_PRIORITY_CLASS ?? null,
    runtimeClassName: settings.CLOUD_FFMPEG_RUNNER_RUNTIME_CLASS ?? null,
    hostUsers: settings.CLOUD_FFMPEG_RUNNER_HOST_USERS ?? null,
    priorityClasses: settings.CLOUD_FFMPEG_RUNNER_PRIORITY_CLASSES,
    pod: settings.CLOUD_FFMPEG_RUNNER_POD,
    profiles: settings.CLOUD_FFMPEG_RUNNER_PROFILES,
    planProfiles: planProfiles(settings),
    kueue: kueueSettings(settings),
    warm: warmSettings(settings),
    maxPixels: settings.CLOUD_FFMPEG_MAX_PIXELS,
    sandbox: settings.CLOUD_FFMPEG_SANDBOX,
    failpoints: settings.CLOUD_FFMPEG_RUNNER_FAILPOINTS ?? null,
  }
}

/** @throws InvalidSettings for a plan with an unknown profile, or a profile that falls back to one that it may not */
function planProfiles(settings: OperatorSettings): Record<string, string> {
  const profiles = settings.CLOUD_FFMPEG_RUNNER_PROFILES
  const named = Object.entries(settings.CLOUD_FFMPEG_PLANS).flatMap(
    ([plan, { profile }]): [string, string][] => (profile === null ? [] : [[plan, profile]]),
  )
  const mistakes = named
    .filter(([, profile]) => !(profile in profiles))
    .map(([plan, profile]) => `CLOUD_FFMPEG_PLANS: ${plan} has the unknown profile '${profile}'`)
  for (const [name, { spot }] of Object.entries(profiles)) {
    const fallback = spot?.fallback ?? null
    if (fallback === null || (fallback in profiles && profiles[fallback]?.spot === undefined))
      continue
    mistakes.push(
      `CLOUD_FFMPEG_RUNNER_PROFILES: ${name} falls back to '${fallback}', which must be a profile without spot`,
    )
  }
  if (mistakes.length > 0) throw new InvalidSettings(mistakes)
  return Object.fromEntries(named)
}

/** Kueue would not see a pod that takes a command without a Job being created for it. */
function warmSettings(settings: OperatorSettings): WarmSettings | null {
  const max = settings.CLOUD_FFMPEG_WARM_MAX
  if (max === 0 || settings.CLOUD_FFMPEG_KUEUE) return null
  const plans = settings.CLOUD_FFMPEG_PLANS
  return {
    min: Math.min(settings.CLOUD_FFMPEG_WARM_MIN, max),
    max,
    vcpu: Math.min(settings.CLOUD_FFMPEG_WARM_VCPU, largestVcpus(plans)),
    reserve: settings.CLOUD_FFMPEG_WARM_RESERVE,
    maxAgeSeconds: settings.CLOUD_FFMPEG_WARM_MAX_AGE_SECONDS,
    idleSeconds: settings.CLOUD_FFMPEG_WARM_IDLE_SECONDS,
    // A warm runner is created before its command is known, so it has no profile.
    coldPlans: Object.keys(plans).filter(
      (name) => plans[name]?.warm === false || (plans[name]?.profile ?? null) !== null,
    ),
  }
}

/** @throws InvalidSettings where the three durations do not fit together */
export function electionTiming(settings: OperatorSettings): LeaderTiming {
  const seconds = {
    leaseSeconds: settings.CLOUD_FFMPEG_LEASE_SECONDS,
    renewSeconds: settings.CLOUD_FFMPEG_LEASE_RENEW_SECONDS,
    stopSeconds: settings.CLOUD_FFMPEG_LEASE_STOP_SECONDS,
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
    publicBaseUrl: settings.CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL,
    jobTtlSeconds: settings.CLOUD_FFMPEG_JOB_TTL_SECONDS,
    failedJobTtlSeconds: settings.CLOUD_FFMPEG_FAILED_JOB_TTL_SECONDS,
    imports: importSettings(settings),
    admission: admissionSettings(settings),
    finished: {
      olderThanSeconds: settings.CLOUD_FFMPEG_FINISHED_SECONDS,
      keepNewest: settings.CLOUD_FFMPEG_FINISHED_KEEP,
      keepSeconds: settings.CLOUD_FFMPEG_FINISHED_KEEP_SECONDS,
    },
    resultObjects: settings.CLOUD_FFMPEG_RESULT_OBJECTS,
    sweepObjectsAfterSeconds: sweepSeconds(settings),
  }
}

function importSettings(settings: OperatorSettings): ControllerSettings['imports'] {
  const bindings = settings.CLOUD_FFMPEG_ACCOUNT_BINDINGS
  return {
    accounts: {
      defaultAccount: settings.CLOUD_FFMPEG_DEFAULT_ACCOUNT,
      allowed: settings.CLOUD_FFMPEG_APPLIED_ACCOUNTS,
      bindings: new Map(bindings.map(({ namespace, accounts }) => [namespace, accounts])),
    },
    storageBases: storageBases(settings),
  }
}

const secondsPerMinute = 60

/** Capacity, shares and reserve are Kueue's where it queues the Jobs. */
function admissionSettings(settings: OperatorSettings): ControllerSettings['admission'] {
  const isOwn = !settings.CLOUD_FFMPEG_KUEUE
  return {
    liveJobs: liveJobs(settings),
    liveFileJobs: settings.CLOUD_FFMPEG_LIVE_FILE_JOBS,
    capacityVcpus: isOwn ? (settings.CLOUD_FFMPEG_CAPACITY_VCPUS ?? null) : null,
    learnsCapacity: isOwn,
    reservedShare: isOwn ? settings.CLOUD_FFMPEG_RESERVED_SHARE : 0,
    reserveSeconds: settings.CLOUD_FFMPEG_RESERVE_MINUTES * secondsPerMinute,
    passSeconds: settings.CLOUD_FFMPEG_PASS_SECONDS,
    unplacedPods: settings.CLOUD_FFMPEG_UNPLACED_PODS,
    startingPods: isOwn ? (settings.CLOUD_FFMPEG_STARTING_PODS ?? null) : null,
  }
}

/** A suspended Job costs no node. */
export function liveJobs(settings: OperatorSettings): number {
  return settings.CLOUD_FFMPEG_LIVE_JOBS ?? (settings.CLOUD_FFMPEG_KUEUE ? 2_000 : 500)
}

/** @throws InvalidSettings */
function kueueSettings(settings: OperatorSettings): KueueSettings | null {
  if (!settings.CLOUD_FFMPEG_KUEUE) return null
  const queueName = settings.CLOUD_FFMPEG_KUEUE_QUEUE_NAME
  const problem = queueNameProblem(queueName, Object.keys(settings.CLOUD_FFMPEG_PLANS))
  if (problem !== null) {
    throw new InvalidSettings([`CLOUD_FFMPEG_KUEUE_QUEUE_NAME '${queueName}' ${problem}`])
  }
  return {
    queueName,
    priorityClasses: settings.CLOUD_FFMPEG_KUEUE_PRIORITY_CLASSES,
    maxEvictions: settings.CLOUD_FFMPEG_KUEUE_MAX_EVICTIONS,
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
  const sweep = settings.CLOUD_FFMPEG_SWEEP_OBJECTS_SECONDS
  const least = settings.CLOUD_FFMPEG_PUT_URL_SECONDS + longestPutSeconds
  if (sweep >= least) return sweep
  throw new InvalidSettings([
    `CLOUD_FFMPEG_SWEEP_OBJECTS_SECONDS must be at least CLOUD_FFMPEG_PUT_URL_SECONDS + ${longestPutSeconds}, ${least}; got ${sweep}`,
  ])
}

/** Address at which standbys reach the gateway of this very process; null: its pod's address is unknown. */
export function gatewayAddress(settings: OperatorSettings): string | null {
  const ip = settings.CLOUD_FFMPEG_POD_IP
  if (ip === undefined) return null
  return `${isIPv6(ip) ? `[${ip}]` : ip}:${settings.CLOUD_FFMPEG_GATEWAY_PORT}`
}

/**
 * Folder of the gateway's certificate; null: plain HTTP
 * @throws InvalidSettings where runners would speak the other protocol
 */
export function gatewayTlsFolder(settings: OperatorSettings): string | null {
  const folder = settings.CLOUD_FFMPEG_GATEWAY_TLS_FOLDER ?? null
  const isSecure = settings.CLOUD_FFMPEG_GATEWAY_URL.startsWith('https:')
  if (isSecure === (folder !== null)) return folder
  throw new InvalidSettings([
    'TLS of the gateway needs CLOUD_FFMPEG_GATEWAY_TLS_FOLDER and a CLOUD_FFMPEG_GATEWAY_URL with https together',
  ])
}

export function gatewaySettings(settings: OperatorSettings): GatewaySettings {
  return {
    plans: settings.CLOUD_FFMPEG_PLANS,
    storageBases: storageBases(settings),
    network: {
      allowCidrs: settings.CLOUD_FFMPEG_ALLOW_CIDRS,
      denyCidrs: settings.CLOUD_FFMPEG_DENY_CIDRS,
      denyEndpoints: [...ownEndpoints(settings), ...settings.CLOUD_FFMPEG_DENY_ENDPOINTS],
    },
    overlap: {
      inputs: settings.CLOUD_FFMPEG_OVERLAP_INPUTS,
      outputs: settings.CLOUD_FFMPEG_OVERLAP_OUTPUTS,
    },
    fileCount: settings.CLOUD_FFMPEG_MAX_FILES,
    maxPixels: settings.CLOUD_FFMPEG_MAX_PIXELS,
    fullFetchBytes: settings.CLOUD_FFMPEG_ANALYSIS_FULL_FETCH_BYTES,
    putUrlSeconds: settings.CLOUD_FFMPEG_PUT_URL_SECONDS,
    runner: runnerSettings(settings),
  }
}

/**
 * Database, its pooler and gateway as `host:port`: an allowed private range may contain them, but an input URL
 * must not reach them. The storage is not in the list: URLs below it are looked up, never fetched.
 */
function ownEndpoints(settings: OperatorSettings): string[] {
  const databases = databaseUrls(settings).map((url) => new URL(url))
  const gateway = new URL(settings.CLOUD_FFMPEG_GATEWAY_URL)
  return [
    ...databases.map(({ hostname, port }) => `${hostname}:${port || '5432'}`),
    `${gateway.hostname}:${gateway.port || (gateway.protocol === 'https:' ? '443' : '80')}`,
  ]
}

/** All addresses below which a URL is one of our own files, for every account. */
function storageBases(settings: OperatorSettings): string[] {
  const bucket = settings.CLOUD_FFMPEG_STORAGE_BUCKET
  const endpoints = [
    settings.CLOUD_FFMPEG_STORAGE_ENDPOINT,
    settings.CLOUD_FFMPEG_STORAGE_PUBLIC_ENDPOINT,
  ].filter((endpoint) => endpoint !== undefined)
  const bases = endpoints.map((endpoint) => {
    const url = new URL(endpoint)
    const prefix = `/${settings.CLOUD_FFMPEG_STORAGE_PREFIX}`.replace(/\/+$/, '')
    if (settings.CLOUD_FFMPEG_STORAGE_PATH_STYLE) {
      return `${endpoint.replace(/\/+$/, '')}/${bucket}${prefix}`
    }
    url.host = `${bucket}.${url.host}`
    return url.href.replace(/\/+$/, '') + prefix
  })
  return [...new Set([settings.CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL, ...bases])]
}
