import { expect } from 'chai'
import { row, owner } from '../../testing/support/operator/snapshot.ts'
import { runnerSettings } from '../../testing/support/operator/settings.ts'
import { jobFor } from './job.ts'
import { queueNameProblem } from './kueue.ts'
import { limitsFor } from './limits.ts'
import type { RunnerSettings } from './runner-settings.ts'
import { specHash } from './spec-hash.ts'

const command = row({ jobGeneration: 1 })

function jobOf(settings = runnerSettings(), work = command): ReturnType<typeof jobFor> {
  const limits = limitsFor(work, settings)
  return jobFor({ ...work, specHash: specHash(work), limits }, owner, settings)
}

function podOf(settings = runnerSettings()) {
  const spec = jobOf(settings).spec.template.spec
  if (spec === undefined) throw new Error('the Job has no pod spec')
  return spec
}

function container(name: string, settings = runnerSettings()) {
  const found = podOf(settings).containers.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no container ${name}`)
  return found
}

describe('jobFor', () => {
  it('names the Job after command and generation and lets the resource own it', () => {
    const { metadata } = jobOf()
    expect(metadata.name).to.equal(`ffc-${command.commandId}-1`)
    expect(metadata.name.length).to.be.at.most(45)
    expect(metadata.ownerReferences).to.deep.equal([
      {
        apiVersion: 'cloudffmpeg.dev/v1alpha1',
        kind: 'FfmpegCommand',
        name: 'ffc-x',
        uid: 'uid-of-resource',
        controller: true,
      },
    ])
  })

  it('labels Job and pod with the release, by which those of two releases differ', () => {
    const instance = 'app.kubernetes.io/instance'
    const of = (release: string | null) => jobOf(runnerSettings({ release }))
    expect(of('media').metadata.labels).to.include({ [instance]: 'media' })
    expect(of('media').spec.template.metadata?.labels).to.include({ [instance]: 'media' })
    expect(of(null).metadata.labels).to.not.have.property(instance)
  })

  it('a Job runs one pod at a time and retries within the attempts', () => {
    const { spec } = jobOf()
    expect(spec).to.deep.include({
      parallelism: 1,
      completions: 1,
      backoffLimit: 2,
      podReplacementPolicy: 'Failed',
    })
    expect(spec.template.spec?.restartPolicy).to.equal('Never')
  })

  it('sets no TTL, so that a Job stays until its outcome is recorded', () => {
    expect(jobOf().spec).to.not.have.property('ttlSecondsAfterFinished')
  })

  it('checks disruptions before exit codes', () => {
    const rules = jobOf().spec.podFailurePolicy?.rules ?? []
    expect(rules.map(({ action }) => action)).to.deep.equal([
      'Ignore',
      'FailJob',
      'Ignore',
      'FailJob',
    ])
    expect(rules[0]?.onPodConditions).to.deep.equal([{ type: 'DisruptionTarget', status: 'True' }])
    expect(rules[1]?.onExitCodes?.values).to.include.members([20, 29, 31])
    expect(rules[2]?.onExitCodes?.values).to.deep.equal([30])
    expect(rules[3]?.onExitCodes).to.deep.include({ containerName: 'ffmpeg', values: [137] })
  })

  it('backs the run cap of each command up with a deadline, and gives the Job one per attempt', () => {
    const chain = { ...command, source: { ...command.source, commands: ['a', 'b'] } }
    const { spec } = jobOf(runnerSettings(), { ...chain, maxRunSeconds: 60.5 })
    const pod = 2 * (60.5 + 5) + 1800
    expect(spec.template.spec?.activeDeadlineSeconds).to.equal(pod)
    expect(spec.activeDeadlineSeconds).to.equal(3 * (pod + 600 + 86_400))
    const endless = jobOf(runnerSettings({ placeAllowanceSeconds: null }), command).spec
    expect(endless.activeDeadlineSeconds).to.equal(2_147_483_647)
  })

  it('requests what the settings say for transfer, and never more than its limit', () => {
    const requested = (transferCpuRequestMillis: number | null) =>
      container('transfer', runnerSettings({ transferCpuRequestMillis })).resources?.requests?.[
        'cpu'
      ]
    expect(requested(100)).to.equal('100m')
    expect(requested(9_000)).to.equal('500m')
    expect(requested(null)).to.equal('500m')
  })

  it('starts transfer and ffmpeg together', () => {
    expect(podOf().containers.map(({ name }) => name)).to.deep.equal(['transfer', 'ffmpeg'])
    expect(podOf()).to.not.have.property('initContainers')
  })

  it('gives the gateway token to transfer alone', () => {
    expect(podOf().automountServiceAccountToken).to.equal(false)
    const token = podOf().volumes?.find(({ projected }) => projected !== undefined)
    expect(token?.projected?.sources?.[0]?.serviceAccountToken?.audience).to.equal(
      'cloud-ffmpeg-gateway',
    )
    const mounts = (name: string) => (container(name).volumeMounts ?? []).map((mount) => mount.name)
    expect(mounts('transfer')).to.include(token?.name)
    expect(mounts('ffmpeg')).to.not.include(token?.name)
  })

  it('keeps inputs read-only for ffmpeg, and its temporary folder from transfer', () => {
    const inputs = container('ffmpeg').volumeMounts?.find(({ subPath }) => subPath === 'in')
    expect(inputs).to.deep.equal({
      name: 'scratch',
      subPath: 'in',
      mountPath: '/job/in',
      readOnly: true,
    })
    expect(container('transfer').volumeMounts?.map(({ name }) => name)).to.not.include('tmp')
  })

  it('requests and limits the disk of the plan, at most that of all runners', () => {
    const disk = (planScratchMbytes: Record<string, number>, accountPlan: string) => {
      const spec = jobOf(runnerSettings({ planScratchMbytes }), { ...command, accountPlan }).spec
        .template.spec
      const { resources } = spec?.containers.find(({ name }) => name === 'transfer') ?? {}
      const work = spec?.volumes?.find(({ name }) => name === 'scratch')
      return [
        resources?.requests?.['ephemeral-storage'],
        resources?.limits?.['ephemeral-storage'],
        work?.emptyDir?.sizeLimit,
      ]
    }
    const plans = { free: 4_096, pro: 40_960 }
    expect(disk(plans, 'free')).to.deep.equal(['4608Mi', '4608Mi', '4096Mi'])
    expect(disk(plans, 'pro')).to.deep.equal(['20992Mi', '20992Mi', '20480Mi'])
    expect(disk(plans, 'removed')).to.deep.equal(disk(plans, 'free'))
    expect(disk({}, 'any')).to.deep.equal(disk(plans, 'pro'))
  })

  it('limits the size of every volume', () => {
    const sizes = (podOf().volumes ?? []).flatMap(({ name, emptyDir }) =>
      emptyDir === undefined ? [] : [[name, emptyDir.sizeLimit]],
    )
    expect(sizes).to.deep.equal([
      ['scratch', '20480Mi'],
      ['tmp', '64Mi'],
      ['link', '1Mi'],
    ])
  })

  it('puts no command, no address and no variable into the pod', () => {
    const text = JSON.stringify(jobOf())
    expect(text).to.not.include('media.example')
    expect(text).to.not.include('small.mp4')
    expect(container('ffmpeg')).to.not.have.property('env')
    expect(container('transfer')).to.not.have.property('env')
    expect(podOf().enableServiceLinks).to.equal(false)
  })

  it('a Job satisfies the restricted Pod Security Standard', () => {
    expect(podOf().securityContext).to.deep.include({
      runAsNonRoot: true,
      runAsUser: 10001,
      fsGroup: 10001,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    for (const { securityContext } of podOf().containers) {
      expect(securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('limits ffmpeg by its vCPUs and requests the shares of CPU and memory that the settings say', () => {
    const requested = (changes: Partial<RunnerSettings>) =>
      container('ffmpeg', runnerSettings(changes)).resources?.requests
    expect(container('ffmpeg').resources?.limits).to.include({ cpu: '2000m', memory: '2048Mi' })
    expect(requested({})).to.include({ cpu: '2000m', memory: '2048Mi' })
    expect(requested({ cpuRequestPerVcpu: 0.1 })).to.include({ cpu: '200m', memory: '2048Mi' })
    expect(requested({ memoryRequestPerVcpu: 0.1 })).to.include({ cpu: '2000m', memory: '205Mi' })
  })

  it('requests the memory limit of transfer however small the share of its CPU', () => {
    const { resources } = container('transfer', runnerSettings({ cpuRequestPerVcpu: 0.02 }))
    expect(resources?.requests?.['memory']).to.equal('256Mi')
    expect(resources?.limits?.['memory']).to.equal('256Mi')
  })

  it('limits the disk of the pod to the working disk and half a gigabyte, and requests as much', () => {
    const disk = (name: string, changes: Partial<RunnerSettings> = {}) => {
      const { limits, requests } = container(name, runnerSettings(changes)).resources ?? {}
      return [limits?.['ephemeral-storage'], requests?.['ephemeral-storage']]
    }
    expect(disk('transfer')).to.deep.equal(['20992Mi', '20992Mi'])
    expect(disk('ffmpeg')).to.deep.equal(['64Mi', '64Mi'])
    expect(disk('transfer', { scratchRequestMbytes: 256 })).to.deep.equal(['20992Mi', '256Mi'])
    expect(disk('transfer', { scratchRequestMbytes: 90_000 })).to.deep.equal(disk('transfer'))
  })

  it('a Job works on a volume of its own where a claim is given, and then requests little of the node', () => {
    const settings = (size: string | null, storageClassName: string | null) =>
      runnerSettings({ scratchClaim: { size, storageClassName } })
    const claim = (of: RunnerSettings) =>
      podOf(of).volumes?.find(({ name }) => name === 'scratch')?.ephemeral?.volumeClaimTemplate
        ?.spec
    expect(claim(settings(null, null))).to.deep.equal({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '20480Mi' } },
    })
    expect(claim(settings('100Gi', 'fast'))).to.deep.include({
      resources: { requests: { storage: '100Gi' } },
      storageClassName: 'fast',
    })
    const { limits, requests } = container('transfer', settings(null, null)).resources ?? {}
    expect([limits?.['ephemeral-storage'], requests?.['ephemeral-storage']]).to.deep.equal([
      '512Mi',
      '512Mi',
    ])
  })

  it('tolerates a lost node for 20 s', () => {
    const seconds = podOf().tolerations?.map(({ key, tolerationSeconds }) => [
      key,
      tolerationSeconds,
    ])
    expect(seconds).to.deep.equal([
      ['node.kubernetes.io/not-ready', 20],
      ['node.kubernetes.io/unreachable', 20],
    ])
  })

  it('annotates the pod so that autoscalers do not evict it', () => {
    expect(jobOf().spec.template.metadata?.annotations).to.include({
      'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
      'karpenter.sh/do-not-disrupt': 'true',
    })
  })

  it('gives transfer the authorities of the gateway as they are when it is made', () => {
    let ca: string | null = null
    const settings = runnerSettings({ gatewayCa: () => ca })
    expect(container('transfer', settings).args?.join(' ')).to.not.include('--gateway-ca')
    ca = '-----BEGIN CERTIFICATE-----'
    expect(container('transfer', settings).args?.at(-1)).to.equal(`--gateway-ca=${ca}`)
    expect(container('ffmpeg', settings).args?.join(' ')).to.not.include(ca)
  })
})

describe('a Job for a queue of Kueue', () => {
  const classes = { low: 'batch', normal: null, high: 'urgent' }
  const queued = (queueName: string, work = command) =>
    jobOf(
      runnerSettings({ kueue: { queueName, priorityClasses: classes, maxEvictions: 10 } }),
      work,
    )
  const nameOf = (queueName: string, changes: Partial<typeof command> = {}) =>
    queued(queueName, { ...command, ...changes }).metadata.labels?.['kueue.x-k8s.io/queue-name']

  it('a Job for Kueue is created suspended, and Kueue does not queue its pods as well', () => {
    const { metadata, spec } = queued('cloud-ffmpeg-{plan}')
    expect(spec.suspend).to.equal(true)
    expect(metadata.labels).to.include({ 'kueue.x-k8s.io/queue-name': 'cloud-ffmpeg-small' })
    const ofPods = Object.keys(spec.template.metadata?.labels ?? {})
    expect(ofPods.filter((name) => name.startsWith('kueue.'))).to.deep.equal([])
  })

  it('a Job for Kueue has the class of the priority of its command, or none', () => {
    const classOf = (priority: (typeof command)['priority']) =>
      queued('q', { ...command, priority }).metadata.labels?.['kueue.x-k8s.io/priority-class']
    expect(classOf('high')).to.equal('urgent')
    expect(classOf('low')).to.equal('batch')
    expect(classOf('normal')).to.equal(undefined)
  })

  it('a Job survives a SIGTERM without a disruption, and as many evictions as are allowed', () => {
    const { podFailurePolicy, backoffLimit } = queued('q').spec
    const codes = (action: string) =>
      (podFailurePolicy?.rules ?? [])
        .filter((rule) => rule.action === action)
        .flatMap(({ onExitCodes }) => onExitCodes?.values ?? [])
    expect(codes('Ignore')).to.include(31)
    expect(codes('FailJob')).to.not.include(31)
    expect(backoffLimit).to.equal(12)
  })

  it('a Job for Kueue is in a queue whose name is a DNS label, for every account and plan', () => {
    expect(nameOf('{account}-{plan}', { accountName: 'acme' })).to.equal('acme-small')
    const long = { accountName: 'a'.repeat(63) }
    const names = [
      nameOf('cloud-ffmpeg-{account}', long),
      nameOf('cloud-ffmpeg-{account}', { accountName: `${'a'.repeat(62)}b` }),
      nameOf('{plan}', { accountPlan: 'Old Plan_2' }),
      nameOf('{plan}', { accountPlan: '--' }),
    ]
    for (const name of names) expect(name).to.match(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
    expect(new Set(names).size).to.equal(names.length)
  })
})

describe('queueNameProblem', () => {
  it('accepts a template that gives each plan a DNS label', () => {
    for (const template of ['cloud-ffmpeg-{plan}', '{account}', 'media']) {
      expect(queueNameProblem(template, ['free', 'pro'])).to.equal(null)
    }
  })

  it('names an unknown field, and a result that names no queue', () => {
    expect(queueNameProblem('{team}', ['pro'])).to.include('{team}')
    expect(queueNameProblem('media_{plan}', ['pro'])).to.include("'media_pro'")
    expect(queueNameProblem('{plan}', ['pro', 'Big Plan'])).to.include("'Big Plan'")
    expect(queueNameProblem('', ['pro'])).to.include('not a DNS label')
  })
})
