import { expect } from 'chai'
import { parseFfmpegCommand } from '../../common/kubernetes/resources/ffmpeg-commands.ts'
import { parseJob } from '../../common/kubernetes/resources/jobs.ts'
import { parsePod } from '../../common/kubernetes/resources/pods.ts'
import { jobFor } from '../resources/job.ts'
import { commandId, ended, pod, row } from '../../testing/support/operator/snapshot.ts'
import { runnerSettings } from '../../testing/support/operator/settings.ts'
import { limitsFor } from '../resources/limits.ts'
import { requestDigest } from '../../common/kubernetes/request-digest.ts'
import { referenceHash, specHash } from '../resources/spec-hash.ts'
import { commandFacts } from './command-facts.ts'
import { sameFacts } from './fact-metadata.ts'
import { jobFacts } from './job-facts.ts'
import { isUndisturbed, podFacts } from './pod-facts.ts'

const metadata = { name: `ffc-${commandId}`, namespace: 'media', uid: 'u', resourceVersion: '5' }

function factsOf(changes: { metadata?: object; spec?: object } = {}) {
  return commandFacts(
    parseFfmpegCommand({
      metadata: { ...metadata, ...changes.metadata },
      spec: { commandId, commands: ['a'], outputFiles: {}, ...changes.spec },
    }),
    'media',
  )
}

describe('commandFacts', () => {
  it('distinguishes dispatched, applied and misnamed objects', () => {
    expect(factsOf()).to.deep.include({ origin: 'dispatched', commandId })
    expect(factsOf({ spec: { commandId: undefined } })).to.deep.include({
      origin: 'applied',
      commandId: 'u',
    })
    expect(factsOf({ metadata: { name: 'mine' } })).to.deep.include({
      origin: 'misnamed',
      commandId: 'u',
    })
  })

  it('a command has the hash of its row when it refers to its request', () => {
    const { source, vcpuCount, maxRunSeconds, isPrivate } = row()
    const spec = { commands: undefined, outputFiles: undefined, request: requestDigest(source) }
    const limits = { vcpuCount, maxRunSeconds, private: isPrivate }
    const facts = factsOf({ spec: { ...spec, ...limits } })
    expect(facts).to.include({ byReference: true, specHash: referenceHash(row()), large: false })
    expect(factsOf({ spec: { ...spec, ...limits, vcpuCount: 3 } }).specHash).to.not.equal(
      facts.specHash,
    )
    expect(factsOf()).to.include({ byReference: false })
  })

  it('rejects a spec with neither commands nor a request', () => {
    expect(() => factsOf({ spec: { commands: undefined } })).to.throw('is not a command')
    const request = requestDigest(row().source)
    const spec = { commands: undefined, commandId: undefined, request }
    expect(() => factsOf({ spec })).to.throw('a spec with commands')
  })

  it('a command is large above 64 KiB in the cluster', () => {
    expect(factsOf({ spec: { commands: ['&'.repeat(10_000)] } }).large).to.equal(false)
    expect(factsOf({ spec: { commands: ['&'.repeat(12_000)] } }).large).to.equal(true)
  })

  it('returns our finalizer apart from others, and the deletion', () => {
    const facts = factsOf({
      metadata: {
        finalizers: ['other/one', 'cloudffmpeg.dev/record'],
        deletionTimestamp: '2026-05-01T10:00:00Z',
      },
    })
    expect(facts).to.deep.include({
      recordFinalizer: true,
      keep: false,
      otherFinalizers: ['other/one'],
      deleting: true,
    })
  })
})

describe('jobFacts', () => {
  const manifest = jobFor(
    {
      ...row({ jobGeneration: 2 }),
      specHash: specHash(row()),
      limits: limitsFor(row(), runnerSettings()),
    },
    { kind: 'FfmpegCommand', namespace: 'media', name: 'x', uid: 'owner' },
    runnerSettings(),
  )

  function factsOfJob(status: object, changes: object = {}) {
    const { spec, metadata: made } = manifest
    const given = { uid: 'j', resourceVersion: '1', ...changes }
    return jobFacts(parseJob({ spec, metadata: Object.assign({}, made, given), status }))
  }

  it('returns command, generation and hash of a Job that this program made', () => {
    expect(factsOfJob({})).to.deep.include({
      commandId,
      jobGeneration: 2,
      ownerUid: 'owner',
      specHash: specHash(row()),
      ending: null,
      finished: false,
      ttlSeconds: null,
    })
  })

  it('returns the profile that a Job was made by', () => {
    const label = { 'cloudffmpeg.dev/profile': 'spot' }
    expect(factsOfJob({}, { labels: { ...manifest.metadata.labels, ...label } })).to.include({
      commandId,
      profile: 'spot',
    })
    expect(factsOfJob({}).profile).to.equal(null)
  })

  it('returns no command for a Job that only has the label', () => {
    expect(factsOfJob({}, { name: 'another' }).commandId).to.equal(null)
  })

  it('returns how a Job ends before it has finished', () => {
    const conditions = [{ type: 'FailureTarget', status: 'True', reason: 'DeadlineExceeded' }]
    const facts = factsOfJob({ conditions })
    expect(facts.ending?.reason).to.equal('DeadlineExceeded')
    expect(facts.finished).to.equal(false)
  })
})

describe('podFacts', () => {
  it('returns the command and the generation in the name of a pod', () => {
    const raw = (name: string) => ({ metadata: { ...metadata, name }, spec: {}, status: {} })
    const facts = podFacts(parsePod(raw(`ffc-${commandId}-3-abcde`)))
    expect(facts).to.deep.include({ commandId, jobGeneration: 3, phase: 'Pending' })
    expect(podFacts(parsePod(raw('foreign'))).commandId).to.equal(null)
  })
})

describe('the limits of a pod', () => {
  const manifest = jobFor(
    {
      ...row({ jobGeneration: 1 }),
      specHash: specHash(row()),
      limits: limitsFor(row(), runnerSettings()),
    },
    { kind: 'FfmpegCommand', namespace: 'media', name: 'x', uid: 'owner' },
    runnerSettings(),
  )
  const { metadata: made, spec } = manifest.spec.template
  const read = (metadataOf: object | undefined) =>
    podFacts(
      parsePod({
        metadata: { ...metadata, ...metadataOf, name: `ffc-${commandId}-1-abcde` },
        spec,
        status: {},
      }),
    ).limits

  it('the limits of a pod are those that its Job was made with', () => {
    expect(read(made)).to.deep.equal({ memoryMbytes: 2 * 1_024, scratchMbytes: 20_480 })
  })

  it('the limits of a pod are unknown where an earlier version made it', () => {
    expect(read({})).to.deep.equal({ memoryMbytes: 2 * 1_024, scratchMbytes: null })
  })
})

describe('the start of a pod', () => {
  const read = (conditions: object[], created = '2026-05-01T10:00:00Z') =>
    podFacts(
      parsePod({
        metadata: { ...metadata, name: `ffc-${commandId}-1-abcde`, creationTimestamp: created },
        spec: {},
        status: { conditions },
      }),
    )
  const condition = (type: string, second: string, status = 'True') => ({
    type,
    status,
    lastTransitionTime: `2026-05-01T10:00:${second}Z`,
  })
  const node = condition('PodScheduled', '07')

  it('returns the seconds until a node took it and until its sandbox existed', () => {
    expect(read([]).start).to.equal(null)
    expect(read([condition('PodScheduled', '07', 'False')]).start).to.equal(null)
    expect(read([node]).start).to.deep.equal({ nodeSeconds: 7, sandboxSeconds: null })
    expect(read([node, condition('PodReadyToStartContainers', '09')]).start).to.deep.equal({
      nodeSeconds: 7,
      sandboxSeconds: 9,
    })
    expect(read([node], '2026-05-01T10:00:08Z').start?.nodeSeconds).to.equal(0)
  })

  it('returns equal facts after the start of a pod', () => {
    expect(sameFacts(read([node]), read([]))).to.equal(true)
  })
})

describe('sameFacts', () => {
  it('returns true when only the resource version changed', () => {
    const before = factsOf()
    expect(sameFacts(before, factsOf({ metadata: { resourceVersion: '6' } }))).to.equal(true)
    expect(sameFacts(before, factsOf({ spec: { cancel: true } }))).to.equal(false)
  })
})

describe('isUndisturbed', () => {
  it('returns true for a pod that starts or works, and false for any other', () => {
    const stopped = { transfer: ended(1) }
    const waiting = { transfer: { state: 'waiting', reason: 'ErrImagePull', message: '' } } as const
    for (const changes of [{}, { transfer: null, ffmpeg: null }, waiting]) {
      expect(isUndisturbed(pod(changes)), JSON.stringify(changes)).to.equal(true)
    }
    const disturbed = [
      stopped,
      { phase: 'Failed' },
      { deletion: { graceSeconds: 15 } },
      { disruption: 'EvictionByEvictionAPI' },
    ] as const
    for (const changes of disturbed) {
      expect(isUndisturbed(pod(changes)), JSON.stringify(changes)).to.equal(false)
    }
  })
})
