import { jobName } from '../../../common/domain/resource-names.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import type { CommandFacts } from '../../../operator/observe/command-facts.ts'
import type { ContainerFacts } from '../../../operator/observe/container-facts.ts'
import type { JobFacts } from '../../../operator/observe/job-facts.ts'
import type { PodFacts } from '../../../operator/observe/pod-facts.ts'
import { snapshotOf } from '../../../operator/decide/snapshot.ts'
import type { Elapsed, Snapshot, SnapshotFacts } from '../../../operator/decide/snapshot.ts'
import { specHash } from '../../../operator/resources/spec-hash.ts'
import { shownStatus } from '../../../operator/observe/shown-status.ts'
import { runnerSettings } from './settings.ts'
import type { StatusContext } from '../../../operator/status/state.ts'

/** Values for tests of pure functions: a healthy command, changed by what a test is about. */
export const commandId = '0197a3f1-7c4e-7d11-9a55-0242ac120002'
export const resourceUid = 'uid-of-resource'
export const podUid = 'uid-of-pod'

export function row(changes: Partial<ReconcileRow> = {}): ReconcileRow {
  return {
    commandId,
    accountId: '0197a0c2-0000-7000-8000-000000000001',
    accountName: 'acme',
    accountPlan: 'small',
    accountLimits: {},
    reservedOutputBytes: 0,
    environmentName: null,
    commandType: 'FFMPEG_COMMAND',
    source: {
      commands: ['-i {{in_1}} {{out_1}}'],
      inputFiles: { in_1: 'https://media.example/a.mp4' },
      inputCompressedFolder: null,
      outputFiles: { out_1: 'small.mp4' },
    },
    originalRequest: {},
    metadata: null,
    vcpuCount: 2,
    maxRunSeconds: 300,
    isPrivate: false,
    outputTtlSeconds: null,
    presignedTtlSeconds: null,
    priority: 'normal',
    webhookUrl: null,
    status: 'QUEUED',
    stage: null,
    progressPercent: null,
    steps: [
      {
        index: 0,
        status: 'QUEUED',
        progress_percent: null,
        ffmpeg_command_run_seconds: null,
        exit_code: null,
      },
    ],
    errorStatus: null,
    errorMessage: null,
    createdAt: new Date('2026-05-01T10:00:00Z'),
    startedAt: null,
    finishedAt: null,
    attempts: 0,
    warnings: [],
    version: 1,
    mirroredVersion: 0,
    mirrored: false,
    resourceUid,
    cancelRequested: false,
    admitted: false,
    secondsSinceGeneration: null,
    released: false,
    jobGeneration: 0,
    attempt: null,
    lostAttempts: [],
    evictions: 0,
    spotLosses: 0,
    warmRunnerJob: null,
    waitedSeconds: null,
    startWait: null,
    returnedGeneration: 0,
    queuePosition: 1,
    outputs: null,
    file: null,
    ...changes,
  }
}

export function admittedRow(changes: Partial<ReconcileRow> = {}): ReconcileRow {
  return row({
    admitted: true,
    jobGeneration: 1,
    secondsSinceGeneration: 1,
    queuePosition: null,
    ...changes,
  })
}

export function runningRow(changes: Partial<ReconcileRow> = {}): ReconcileRow {
  return admittedRow({
    status: 'PROCESSING',
    stage: 'FFMPEG_PROCESSING',
    attempt: podUid,
    attempts: 1,
    startedAt: new Date('2026-05-01T10:00:02Z'),
    ...changes,
  })
}

export function succeededRow(changes: Partial<ReconcileRow> = {}): ReconcileRow {
  return runningRow({
    status: 'SUCCESS',
    stage: null,
    progressPercent: 100,
    finishedAt: new Date('2026-05-01T10:00:09Z'),
    outputs: {
      count: 1,
      bytes: 2048,
      first: [{ alias: 'out_1', key: 'public/a/c/p/small.mp4' }],
    },
    ...changes,
  })
}

export function failedRow(changes: Partial<ReconcileRow> = {}): ReconcileRow {
  return runningRow({
    status: 'FAILED',
    stage: null,
    errorStatus: 'FFMPEG_FAILED',
    errorMessage: 'FFmpeg ended with exit code 187',
    finishedAt: new Date('2026-05-01T10:00:09Z'),
    ...changes,
  })
}

/** Owner of a Job. */
export const owner = {
  kind: 'FfmpegCommand',
  namespace: 'media',
  name: 'ffc-x',
  uid: 'uid-of-resource',
} as const

export function command(changes: Partial<CommandFacts> = {}): CommandFacts {
  return {
    kind: 'FfmpegCommand',
    metadata: {
      namespace: 'media',
      name: `ffc-${commandId}`,
      uid: resourceUid,
      resourceVersion: '7',
    },
    generation: 1,
    commandId,
    origin: 'dispatched',
    account: 'acme',
    byReference: false,
    specHash: specHash(row()),
    large: false,
    cancel: false,
    deleting: false,
    recordFinalizer: true,
    keep: false,
    otherFinalizers: [],
    shown: shownStatus({}),
    ...changes,
  }
}

export function job(changes: Partial<JobFacts> = {}): JobFacts {
  const jobGeneration = changes.jobGeneration ?? 1
  return {
    metadata: {
      namespace: 'media',
      name: jobName(commandId, jobGeneration),
      uid: `uid-of-job-${jobGeneration}`,
      resourceVersion: '9',
    },
    commandId,
    jobGeneration,
    ownerUid: resourceUid,
    specHash: specHash(row()),
    deleting: false,
    queued: false,
    suspended: false,
    ending: null,
    finished: false,
    ttlSeconds: null,
    deadlineSeconds: null,
    profile: null,
    warmRunner: null,
    ...changes,
  }
}

export function pod(changes: Partial<PodFacts> & { uid?: string } = {}): PodFacts {
  const { uid = podUid, ...rest } = changes
  const jobGeneration = rest.jobGeneration ?? 1
  return {
    metadata: {
      namespace: 'media',
      name: `${jobName(commandId, jobGeneration)}-x7k2p`,
      uid,
      resourceVersion: '11',
    },
    commandId,
    jobGeneration,
    times: { created: null, scheduled: null, started: null },
    phase: 'Running',
    reason: null,
    message: '',
    deletion: null,
    disruption: null,
    unschedulable: null,
    node: 'node-1',
    transfer: { state: 'running' },
    ffmpeg: { state: 'running' },
    limits: { memoryMbytes: null, scratchMbytes: null },
    start: null,
    warmRunner: null,
    ...rest,
  }
}

export function ended(exitCode: number, reason = 'Error', message = ''): ContainerFacts {
  return { state: 'terminated', exitCode, reason, message }
}

export function elapsed(changes: Partial<Elapsed> = {}): Elapsed {
  return {
    sinceFinal: 0,
    withoutPod: 0,
    placed: 0,
    startable: 0,
    sinceAttempt: 1,
    unresized: null,
    resizeRefusal: null,
    isSizeSettled: false,
    podDeletion: new Map(),
    ...changes,
  }
}

export function snapshot(changes: Partial<SnapshotFacts> = {}): Snapshot {
  return snapshotOf({
    command: command(),
    row: row(),
    jobs: [],
    pods: [],
    gonePods: [],
    confirmed: new Set(),
    refusal: null,
    podRefusal: null,
    admission: null,
    elapsed: elapsed(),
    now: '2026-05-01T10:00:10Z',
    settings: {
      runner: runnerSettings(),
      publicBaseUrl: 'https://cdn.example',
      jobTtlSeconds: 60,
      failedJobTtlSeconds: 600,
    },
    ...changes,
  })
}

export function statusContext(changes: Partial<StatusContext> = {}): StatusContext {
  return {
    byReference: false,
    generation: 1,
    shown: shownStatus({}),
    now: '2026-05-01T10:00:10Z',
    clocks: { startAllowanceSeconds: 600, podDeadlineSeconds: 2105, jobDeadlineSeconds: 8115 },
    jobName: 'ffc-x-1',
    waiting: { reason: 'JobCreated', message: 'The pod starts' },
    publicBaseUrl: 'https://cdn.example/',
    ...changes,
  }
}
