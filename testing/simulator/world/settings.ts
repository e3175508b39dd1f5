import { runnerSettings, warmSettings } from '../../support/operator/settings.ts'
import { planWith } from '../../support/plans.ts'
import { isErrorStatus } from '../../../common/domain/failures.ts'
import type { Plans } from '../../../common/domain/plans.ts'
import type { Account } from '../../../common/store/accounts.ts'
import type { World } from './world.ts'
import type { ControllerSettings } from '../../../operator/controller/controller-deps.ts'
import type { GatewaySettings } from '../../../operator/gateway/calls/gateway-deps.ts'
import type { ErrorStatus } from '../../../common/domain/failures.ts'

/** Most of what idle processes do would be this; a submission wakes its dispatcher anyway. */
export const dispatchPollMs = 500

/** Less than both accounts may use together, so that they wait for each other, too. */
export const capacityVcpus = 10

/** An installation with short times, so that minutes of virtual time show what takes hours. */
export const namespace = 'media'
export const leaseName = 'cloud-ffmpeg-operator'
/** Short, so that a run meets many terms. */
export const leaseSeconds = { leaseSeconds: 4, renewSeconds: 1, stopSeconds: 3 }
export const publicBaseUrl = 'https://cdn.example/bucket'

export const plans: Plans = {
  small: planWith({ vcpuTotal: 6, maxRunSeconds: 15 }),
}

export const accounts: readonly Account[] = ['acme', 'globex'].map((name, index) => ({
  accountId: `0197a0c2-0000-7000-8000-00000000000${index + 1}`,
  name,
  plan: 'small',
  suspended: false,
  limits: {},
  defaultOutputTtlSeconds: null,
}))

const runner = runnerSettings({
  namespace,
  gatewayUrl: 'http://cloud-ffmpeg-gateway.media.svc:8090',
  scratchMbytes: 1024,
  startAllowanceSeconds: 180,
  placeAllowanceSeconds: 900,
  transferAllowanceSeconds: 90,
})

const controllerSettings: ControllerSettings = {
  runner,
  publicBaseUrl,
  jobTtlSeconds: 2,
  failedJobTtlSeconds: 5,
  imports: {
    accounts: { defaultAccount: 'acme', allowed: ['*'], bindings: new Map() },
    storageBases: [publicBaseUrl],
  },
  admission: {
    liveJobs: 50,
    liveFileJobs: 20,
    capacityVcpus,
    learnsCapacity: true,
    reservedShare: 0.1,
    reserveSeconds: 60,
    passSeconds: 30,
    startingPods: 4,
    unplacedPods: 2,
  },
  finished: { olderThanSeconds: 3, keepNewest: 0, keepSeconds: 3 },
  resultObjects: true,
  sweepObjectsAfterSeconds: 5,
}

/** The same where nodes have less room than the operator knows of, and a start has less time than a wait takes. */
const fullSettings: ControllerSettings = {
  ...controllerSettings,
  runner: { ...runner, startAllowanceSeconds: 90 },
  admission: { ...controllerSettings.admission, capacityVcpus: null },
}

export function settingsOf({
  warm,
  roomVcpus,
}: Pick<World, 'warm' | 'roomVcpus'>): ControllerSettings {
  if (roomVcpus !== null) return fullSettings
  if (warm === null) return controllerSettings
  const { min, max, image } = warm
  return {
    ...controllerSettings,
    runner: {
      ...runner,
      image: `registry.example/cloud-ffmpeg/runner:${image}`,
      warm: warmSettings({ min, max, vcpu: 4, maxAgeSeconds: 120, idleSeconds: 60 }),
    },
  }
}

export const gatewaySettings: GatewaySettings = {
  plans,
  storageBases: [publicBaseUrl],
  network: { allowCidrs: [], denyCidrs: [], denyEndpoints: [] },
  overlap: { inputs: true, outputs: true },
  fullFetchBytes: 1_000_000,
  putUrlSeconds: 900,
  fileCount: 100,
  maxPixels: runner.maxPixels,
  runner,
}

/** Behaviour of FFmpeg and the machine below a command. It travels in the address of its input. */
export type Scenario = { readonly workMs: number } & (
  | { readonly kind: 'success' | 'large' | 'mute' | 'crash' | 'hang' | 'out-of-memory' }
  | { readonly kind: 'failure'; readonly errorStatus: ErrorStatus }
)

const kinds = ['success', 'large', 'mute', 'crash', 'hang', 'out-of-memory'] as const

export function inputUrl(scenario: Scenario): string {
  const kind = scenario.kind === 'failure' ? scenario.errorStatus : scenario.kind
  return `https://origin.example/${kind}/${Math.round(scenario.workMs)}/in.mp4`
}

export function scenarioOf(url: string): Scenario {
  const [, name = '', workMs = ''] = new URL(url).pathname.split('/')
  if (isErrorStatus(name)) return { kind: 'failure', errorStatus: name, workMs: Number(workMs) }
  const kind = kinds.find((known) => known === name)
  if (kind === undefined) throw new Error(`no scenario ${name}`)
  return { kind, workMs: Number(workMs) }
}
