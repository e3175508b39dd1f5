import { expect } from 'chai'
import { podFacts } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { parsePod } from '../../common/kubernetes/resources/pods.ts'
import { podEnd } from './pod-end.ts'
import type { AttemptContext } from './pod-end.ts'
import type { Verdict } from './verdict.ts'

const context: AttemptContext = {
  claimed: true,
  stage: 'FFMPEG_PROCESSING',
  limits: {
    clocks: { startAllowanceSeconds: 600, podDeadlineSeconds: 2105, jobDeadlineSeconds: 8115 },
    cpus: 2,
    memoryMbytes: 2048,
    scratchMbytes: 20_480,
  },
}

interface Ending {
  readonly phase?: string
  readonly reason?: string
  readonly message?: string
  readonly disruption?: string
  readonly deleted?: boolean
  readonly transfer?: [exitCode: number, reason?: string, message?: string]
  readonly ffmpeg?: [exitCode: number, reason?: string]
}

/** A pod as the API server sends it. */
function podWith(ending: Ending): PodFacts {
  const terminated = (
    name: string,
    [exitCode, reason = 'Error', message]: [number, string?, string?],
  ) => ({
    name,
    ready: false,
    restartCount: 0,
    state: { terminated: { exitCode, reason, ...(message === undefined ? {} : { message }) } },
  })
  return podFacts(
    parsePod({
      metadata: {
        name: 'ffc-0197a3f1-7c4e-7d11-9a55-0242ac120002-1-x7k2p',
        namespace: 'media',
        uid: 'uid-of-pod',
        resourceVersion: '12',
        ...(ending.deleted === true
          ? { deletionTimestamp: '2026-05-01T10:00:00Z', deletionGracePeriodSeconds: 15 }
          : {}),
      },
      spec: { nodeName: 'node-1' },
      status: {
        phase: ending.phase ?? 'Failed',
        ...(ending.reason === undefined ? {} : { reason: ending.reason }),
        ...(ending.message === undefined ? {} : { message: ending.message }),
        conditions:
          ending.disruption === undefined
            ? []
            : [{ type: 'DisruptionTarget', status: 'True', reason: ending.disruption }],
        containerStatuses: [
          ...(ending.transfer === undefined ? [] : [terminated('transfer', ending.transfer)]),
          ...(ending.ffmpeg === undefined ? [] : [terminated('ffmpeg', ending.ffmpeg)]),
        ],
      },
    }),
  )
}

function short(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'failed':
      return `${verdict.errorStatus}: ${verdict.message}`
    case 'lost':
      return `lost: ${verdict.reason}`
    case 'reported':
      return `reported: ${verdict.result.outcome.status}`
    default:
      return verdict.kind
  }
}

const result = JSON.stringify({
  outcome: { status: 'SUCCESS', files: [] },
  steps: [],
  usage: { inputBytes: 1, outputBytes: 2, ffmpegStarted: true, ffmpegRunSeconds: 3 },
})

const failedResult = JSON.stringify({
  outcome: { status: 'FAILED', errorStatus: 'FFMPEG_FAILED', errorMessage: 'No such filter' },
  steps: [],
  usage: { inputBytes: 1, outputBytes: 0, ffmpegStarted: true, ffmpegRunSeconds: 1 },
})

describe('podEnd', () => {
  const table: [string, Ending, string][] = [
    [
      'takes a whole container killed for memory (cgroup v2) for OUT_OF_MEMORY',
      { transfer: [44], ffmpeg: [137, 'OOMKilled'] },
      'OUT_OF_MEMORY: FFmpeg needed more than 2048 MB of memory; more vCPUs come with more memory',
    ],
    [
      'takes OOMKilled with any exit code for OUT_OF_MEMORY (cgroup v1 kills a child only)',
      { transfer: [44], ffmpeg: [0, 'OOMKilled'] },
      'OUT_OF_MEMORY: FFmpeg needed more than 2048 MB of memory; more vCPUs come with more memory',
    ],
    [
      'takes an eviction for its disk for DISK_FULL',
      {
        reason: 'Evicted',
        message: 'Usage of EmptyDir volume "work" exceeds the limit "20Gi".',
        transfer: [31],
        ffmpeg: [143],
      },
      'DISK_FULL: The working disk of 20 GB is full; inputs, outputs and all in between share it',
    ],
    [
      'takes an eviction by a node under pressure for a loss',
      { reason: 'Evicted', disruption: 'TerminationByKubelet', transfer: [31], ffmpeg: [143] },
      'lost: NodePressure',
    ],
    [
      'takes an eviction for reasons that it does not know for a loss',
      { reason: 'Evicted', message: 'Pod was moved to another rack.', transfer: [31] },
      'lost: Evicted',
    ],
    [
      'takes a node that shuts down for a loss',
      {
        reason: 'Terminated',
        message: 'Pod was terminated in response to imminent node shutdown.',
        disruption: 'TerminationByKubelet',
        transfer: [31],
      },
      'lost: Disrupted',
    ],
    [
      'takes the deadline of the pod while FFmpeg runs for COMMAND_TIMEOUT',
      { reason: 'DeadlineExceeded', transfer: [31], ffmpeg: [137] },
      'COMMAND_TIMEOUT: FFmpeg timed out: the runner did not end within 2105 seconds',
    ],
    [
      'takes a drain for a loss although both containers ended with 0',
      { phase: 'Succeeded', disruption: 'EvictionByEvictionAPI', transfer: [0], ffmpeg: [0] },
      'lost: Disrupted',
    ],
    [
      'takes kubectl delete for a loss',
      { deleted: true, transfer: [31], ffmpeg: [143] },
      'lost: PodDeleted',
    ],
    ['takes a pod that vanished while it ran for a loss', { phase: 'Running' }, 'lost: PodDeleted'],
    [
      'treats a SIGTERM of unknown origin as a loss',
      { transfer: [31], ffmpeg: [143] },
      'lost: Interrupted',
    ],
    [
      'takes transfer killed for memory for a loss',
      { transfer: [137, 'OOMKilled'], ffmpeg: [1] },
      'lost: TransferOutOfMemory',
    ],
    [
      'takes 137 alone for no more than killed',
      { transfer: [137], ffmpeg: [1] },
      'lost: ContainerKilled',
    ],
    [
      'treats a killed ffmpeg container as a loss',
      { transfer: [44], ffmpeg: [137] },
      'lost: ContainerKilled',
    ],
    [
      'treats an ffmpeg container that ended by itself as a loss',
      { transfer: [44], ffmpeg: [1] },
      'lost: FfmpegContainerLost',
    ],
    [
      'distinguishes an unreachable gateway',
      { transfer: [41], ffmpeg: [1] },
      'lost: GatewayUnreachable',
    ],
    [
      'distinguishes a missing sandbox',
      { transfer: [43], ffmpeg: [43] },
      'lost: SandboxUnavailable',
    ],
    ['takes an unknown code for a crash', { transfer: [1], ffmpeg: [1] }, 'lost: TransferCrashed'],
    [
      'takes success without a recorded outcome for a loss',
      { phase: 'Succeeded', transfer: [0], ffmpeg: [0] },
      'lost: NoReport',
    ],
    [
      'takes the result left in the termination message',
      { transfer: [41, 'Error', result], ffmpeg: [0] },
      'reported: SUCCESS',
    ],
    [
      'takes the failure left in the termination message of a pod that completed',
      {
        phase: 'Succeeded',
        transfer: [0, 'Completed', failedResult],
        ffmpeg: [0, 'Completed'],
      },
      'reported: FAILED',
    ],
    [
      'takes the failure left in the termination message of an earlier runner, which exits with its kind',
      { transfer: [23, 'Error', failedResult], ffmpeg: [0, 'Completed'] },
      'reported: FAILED',
    ],
    [
      'takes a recorded failure of which nothing is recorded for a loss, of an earlier runner too',
      { transfer: [23], ffmpeg: [0, 'Completed'] },
      'lost: NoReport',
    ],
    [
      'ignores a termination message that was cut',
      { transfer: [41, 'Error', result.slice(0, 40)] },
      'lost: GatewayUnreachable',
    ],
  ]
  for (const [name, ending, expected] of table) {
    it(name, () => {
      expect(short(podEnd(podWith(ending), context))).to.equal(expected)
    })
  }

  it('names the sizes that the pod was made with', () => {
    const limits = { memoryMbytes: 8_192, scratchMbytes: 1_024 }
    const sentenceOf = (ending: Ending) => short(podEnd({ ...podWith(ending), limits }, context))
    expect(sentenceOf({ ffmpeg: [137, 'OOMKilled'] })).to.include('more than 8192 MB')
    const message = 'Usage of EmptyDir volume "scratch" exceeds the limit "1Gi".'
    expect(sentenceOf({ reason: 'Evicted', message })).to.include('working disk of 1 GB')
  })

  it("returns a failure by the stage of the runner when the pod's deadline has passed", () => {
    const late = podWith({ reason: 'DeadlineExceeded', transfer: [31] })
    const errors = [
      { ...context, claimed: false, stage: null },
      { ...context, stage: 'DOWNLOADING' as const },
      { ...context, stage: 'UPLOADING' as const },
    ].map((each) => short(podEnd(late, each)).split(':')[0])
    expect(errors).to.deep.equal(['START_TIMEOUT', 'UNREACHABLE_INPUT_FILE', 'STORAGE_ERROR'])
  })

  it('returns the result of a pod of whose assignment the row does not know', () => {
    const assigned = podWith({ transfer: [41, 'Error', result] })
    expect(short(podEnd(assigned, { ...context, claimed: false }))).to.equal('reported: SUCCESS')
  })

  it('returns the evidence for the log', () => {
    const verdict = podEnd(podWith({ transfer: [42], ffmpeg: [0, 'Completed'] }), context)
    expect(verdict.kind === 'lost' && verdict.evidence).to.deep.include({
      node: 'node-1',
      container: 'transfer',
      code: 42,
    })
  })
})
