import { expect } from 'chai'
import { row, owner } from '../../testing/support/operator/snapshot.ts'
import { runnerSettings, warmSettings } from '../../testing/support/operator/settings.ts'
import { readArguments } from '../../runner-image/transfer/settings.ts'
import { jobFor } from './job.ts'
import { limitsFor } from './limits.ts'
import type { WarmSettings } from './runner-settings.ts'
import { specHash } from './spec-hash.ts'
import {
  adoptedJob,
  adoptedPod,
  resizedPod,
  warmRunnerHash,
  warmRunnerJobFor,
} from './warm-runner-job.ts'
import { commandSize, containersOf, sizeText, warmRunnerSize, textOf } from './warm-runner-size.ts'

const settings = runnerSettings()

function warmRunner(changes: Partial<WarmSettings> = {}, runner = settings) {
  const job = warmRunnerJobFor(runner, warmSettings(changes), 7)
  const pod = job.spec.template.spec
  if (pod === undefined) throw new Error('the Job has no pod spec')
  const container = (name: string) => pod.containers.find((each) => each.name === name)
  return { job, pod, transfer: container('transfer'), ffmpeg: container('ffmpeg') }
}

/** Arguments behind the name of the program, which Node.js takes away. */
const programArguments = (args: readonly string[] = []) => args.slice(1)

const command = row({ jobGeneration: 1, vcpuCount: 2 })
const limits = limitsFor(command, settings)
const work = { ...command, specHash: specHash(command), limits }

describe('warmRunnerJobFor', () => {
  it('names the Job after its settings and a number, and nothing of a command', () => {
    const { job } = warmRunner()
    const hash = warmRunnerHash(settings, warmSettings())
    expect(job.metadata.name).to.equal(`ffw-${hash}-7`)
    expect(hash).to.match(/^[0-9a-f]{8}$/)
    expect(job.metadata.labels).to.include({
      'cloudffmpeg.dev/pool': hash,
      'cloudffmpeg.dev/standby': 'waiting',
      'app.kubernetes.io/component': 'runner',
    })
    expect(JSON.stringify(job)).to.not.match(/command-id|account|ownerReferences/)
  })

  it('a warm runner ends by itself and is never replaced', () => {
    const { job, pod } = warmRunner()
    expect(job.spec).to.include({
      backoffLimit: 0,
      activeDeadlineSeconds: 3_600,
      ttlSecondsAfterFinished: 60,
    })
    expect(job.spec.podFailurePolicy?.rules.map(({ action }) => action)).to.deep.equal(['FailJob'])
    expect(pod).to.not.have.property('activeDeadlineSeconds')
  })

  it('transfer takes the arguments of a warm runner, which waits, and of the runner of a command', () => {
    const { transfer } = warmRunner()
    expect(readArguments(programArguments(transfer?.args))).to.include({ isWarmRunner: true })
    const cold = jobFor(work, owner, settings).spec.template.spec?.containers
    const args = cold?.find(({ name }) => name === 'transfer')?.args
    expect(readArguments(programArguments(args))).to.include({ isWarmRunner: false })
  })

  it('a warm runner has the containers of a command, but for its size and that transfer waits', () => {
    const { pod } = warmRunner()
    const cold = jobFor(work, owner, settings).spec.template.spec
    const same = (spec: typeof pod | undefined) =>
      spec?.containers.map(({ resources: _resources, resizePolicy: _policy, args, ...rest }) => ({
        ...rest,
        args: args?.filter((argument) => argument !== '--warm-runner'),
      }))
    expect(same(pod)).to.deep.equal(same(cold))
    expect(warmRunner().transfer?.args).to.include('--warm-runner')
    expect(warmRunner().ffmpeg?.args).to.not.include('--warm-runner')
    const { volumes, tolerations, securityContext } = pod
    expect({ volumes, tolerations, securityContext }).to.deep.equal({
      volumes: cold?.volumes,
      tolerations: cold?.tolerations,
      securityContext: cold?.securityContext,
    })
  })

  it('a warm runner has the limits of its largest command and requests next to nothing', () => {
    const { ffmpeg, transfer } = warmRunner({ vcpu: 8 })
    expect(ffmpeg?.resources?.limits).to.include({ cpu: '8000m', memory: '8192Mi' })
    expect(ffmpeg?.resources?.requests).to.include({ cpu: '10m', memory: '64Mi' })
    expect(transfer?.resources?.limits).to.include({ cpu: '500m', memory: '256Mi' })
    expect(transfer?.resources?.requests).to.include({ cpu: '5m', memory: '64Mi' })
    for (const container of [ffmpeg, transfer]) {
      expect(container?.resizePolicy?.map((policy) => policy.restartPolicy)).to.deep.equal([
        'NotRequired',
        'NotRequired',
      ])
    }
  })

  it('requests 512 MB of disk while it waits, the reserved part where that is more, never more than a command', () => {
    const disk = (scratchRequestMbytes: number | null, reserve: number) =>
      ['transfer', 'ffmpeg'].map(
        (name) =>
          warmRunner({ reserve }, runnerSettings({ scratchRequestMbytes })).pod.containers.find(
            (each) => each.name === name,
          )?.resources?.requests?.['ephemeral-storage'],
      )
    expect(disk(2_048, 0)).to.deep.equal(['512Mi', '64Mi'])
    expect(disk(2_048, 0.5)).to.deep.equal(['1024Mi', '64Mi'])
    expect(disk(null, 0)).to.deep.equal(['512Mi', '64Mi'])
    expect(disk(256, 0)).to.deep.equal(['256Mi', '64Mi'])
    expect(warmRunner().transfer?.resources?.limits).to.include({ 'ephemeral-storage': '20992Mi' })
  })

  it('keeps the annotations of the settings when it gets a command, above those of its own', () => {
    const evict = 'cluster-autoscaler.kubernetes.io/safe-to-evict'
    const pod = { annotations: { [evict]: 'true', 'example.com/contact': 'media' } }
    const { job } = warmRunner({}, runnerSettings({ pod }))
    expect(job.metadata.annotations).to.deep.equal(pod.annotations)
    expect(job.spec.template.metadata?.annotations).to.include(pod.annotations)
    expect(adoptedPod(work, 0, pod)).to.deep.nested.include({
      'metadata.annotations': { ...pod.annotations, 'karpenter.sh/do-not-disrupt': 'true' },
    })
  })

  it('requests the reserved part, and never makes the pod Guaranteed', () => {
    const full = warmRunner({ vcpu: 4, reserve: 1 })
    expect(full.ffmpeg?.resources?.requests).to.include({ cpu: '4000m', memory: '4096Mi' })
    expect(full.transfer?.resources?.requests).to.include({ cpu: '499m', memory: '255Mi' })
    const half = warmRunner({ vcpu: 4, reserve: 0.5 })
    expect(half.ffmpeg?.resources?.requests).to.include({ cpu: '2000m', memory: '2048Mi' })
    expect(warmRunnerSize(settings, warmSettings({ vcpu: 4, reserve: 1 }))).to.deep.equal(
      commandSize({ ...limits, cpus: 4, memoryMbytes: 4096 }, settings),
    )
  })

  it('changes its hash with the image and with its size', () => {
    const hashes = [
      warmRunnerHash(settings, warmSettings()),
      warmRunnerHash(runnerSettings({ image: 'other' }), warmSettings()),
      warmRunnerHash(settings, warmSettings({ vcpu: 2 })),
      warmRunnerHash(settings, warmSettings({ maxAgeSeconds: 60 })),
    ]
    expect(new Set(hashes).size).to.equal(hashes.length)
    expect(warmRunnerHash(settings, warmSettings({ min: 0, max: 9 }))).to.equal(hashes[0])
  })
})

describe('adoption of a warm runner', () => {
  it('gives the Job owner, hash, labels, a deadline of its own and no TTL', () => {
    const times = { waitingSeconds: 1_800, ttlSeconds: null }
    expect(adoptedJob({ ...work, vcpuCount: 2 }, owner, times)).to.deep.equal({
      metadata: {
        labels: {
          'cloudffmpeg.dev/command-id': command.commandId,
          'cloudffmpeg.dev/account': 'acme',
          'cloudffmpeg.dev/round': '1',
          'cloudffmpeg.dev/standby': 'bound',
        },
        annotations: {
          'cloudffmpeg.dev/spec-hash': specHash(command),
          'cloudffmpeg.dev/vcpu-count': '2',
        },
        ownerReferences: [
          {
            apiVersion: 'cloudffmpeg.dev/v1alpha1',
            kind: owner.kind,
            name: owner.name,
            uid: owner.uid,
            controller: true,
          },
        ],
      },
      spec: {
        activeDeadlineSeconds: 1_800 + limits.clocks.podDeadlineSeconds + 600,
        ttlSecondsAfterFinished: null,
      },
    })
  })

  it('gives the pod its deadline from its start on', () => {
    expect(adoptedPod(work, 99.2)).to.deep.include({
      spec: { activeDeadlineSeconds: 100 + 30 + limits.clocks.podDeadlineSeconds },
    })
  })

  it('resizes to what a Job of the command has, and sees when that is done', () => {
    const size = commandSize(limits, settings)
    const cold = jobFor(work, owner, settings).spec.template.spec?.containers ?? []
    const coldFfmpeg = cold.find(({ name }) => name === 'ffmpeg')?.resources
    expect(resizedPod(size)).to.deep.include({
      spec: {
        containers: [
          {
            name: 'transfer',
            resources: {
              requests: { cpu: '499m', memory: '255Mi' },
              limits: { cpu: '500m', memory: '256Mi' },
            },
          },
          {
            name: 'ffmpeg',
            resources: {
              requests: cpuAndMemory(coldFfmpeg?.requests),
              limits: cpuAndMemory(coldFfmpeg?.limits),
            },
          },
        ],
      },
    })
    expect(containersOf(size).map(({ name }) => name)).to.deep.equal(cold.map(({ name }) => name))
    const written = [
      {
        name: 'transfer',
        requests: { cpu: '499m', memory: '255Mi', 'ephemeral-storage': '1Gi' },
        limits: { cpu: '0.5', memory: '256Mi' },
      },
      {
        name: 'ffmpeg',
        requests: { cpu: '2', memory: '2Gi' },
        limits: { cpu: '2', memory: '2Gi' },
      },
    ]
    expect(sizeText(written)).to.equal(textOf(size))
    expect(sizeText(written.slice(1))).to.equal(null)
  })
})

function cpuAndMemory(amounts: Record<string, string> = {}) {
  return { cpu: amounts['cpu'], memory: amounts['memory'] }
}
