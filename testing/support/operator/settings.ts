import type { RunnerSettings, WarmSettings } from '../../../operator/resources/runner-settings.ts'

export function runnerSettings(changes: Partial<RunnerSettings> = {}): RunnerSettings {
  return {
    release: null,
    namespace: 'media',
    image: 'registry.example/cloud-ffmpeg/runner:1',
    imagePullPolicy: 'IfNotPresent',
    imagePullSecrets: [],
    serviceAccountName: 'cloud-ffmpeg-runner',
    gatewayUrl: 'http://cloud-ffmpeg-gateway.media.svc:8443',
    gatewayCa: () => null,
    trustCaConfigMap: null,
    cpuRequestPerVcpu: 1,
    memoryRequestPerVcpu: 1,
    memoryPerVcpuMbytes: 1024,
    scratchMbytes: 20_480,
    planScratchMbytes: {},
    scratchRequestMbytes: null,
    scratchClaim: null,
    extraResources: {},
    transferCpuMillis: 500,
    transferCpuRequestMillis: null,
    transferMemoryMbytes: 256,
    maxAttempts: 3,
    startAllowanceSeconds: 600,
    placeAllowanceSeconds: 86_400,
    transferAllowanceSeconds: 1800,
    nodeSelector: {},
    tolerations: [],
    priorityClassName: null,
    runtimeClassName: null,
    hostUsers: null,
    priorityClasses: {},
    pod: {},
    profiles: {},
    planProfiles: {},
    kueue: null,
    warm: null,
    maxPixels: 67_108_864,
    sandbox: 'required',
    failpoints: null,
    ...changes,
  }
}

export function warmSettings(changes: Partial<WarmSettings> = {}): WarmSettings {
  return {
    min: 1,
    max: 2,
    vcpu: 8,
    reserve: 0,
    maxAgeSeconds: 1_800,
    idleSeconds: 900,
    coldPlans: [],
    ...changes,
  }
}
