import { expect } from 'chai'
import { row, owner } from '../../testing/support/operator/snapshot.ts'
import { runnerSettings } from '../../testing/support/operator/settings.ts'
import { jobFor } from './job.ts'
import { limitsFor } from './limits.ts'
import { specHash } from './spec-hash.ts'
import type { RunnerProfile, RunnerSettings } from './runner-settings.ts'

describe('a Job of a plan with a profile', () => {
  const settings = runnerSettings({
    nodeSelector: { pool: 'media' },
    tolerations: [{ key: 'media', operator: 'Exists' }],
    pod: { annotations: { all: 'yes' }, schedulerName: 'packing' },
    profiles: {
      gvisor: {
        nodeSelector: { sandbox: 'gvisor' },
        runtimeClassName: 'gvisor',
        sandbox: 'off',
        cpuRequestPerVcpu: 0.5,
        pod: { labels: { 'example.com/sandbox': 'gvisor' }, annotations: { own: 'yes' } },
      },
    },
    planProfiles: { free: 'gvisor' },
    priorityClasses: { low: 'media-low', high: 'media-high' },
  })
  const jobOf = (changes: Parameters<typeof row>[0], of: RunnerSettings = settings) => {
    const work = row({ jobGeneration: 1, ...changes })
    return jobFor({ ...work, specHash: specHash(work), limits: limitsFor(work, of) }, owner, of)
  }

  it('shows its profile and has its settings in place of those of all', () => {
    const { metadata, spec } = jobOf({ accountPlan: 'free' })
    expect(metadata.labels).to.include({ 'cloudffmpeg.dev/profile': 'gvisor' })
    const { template } = spec
    expect(template.metadata?.labels).to.include({
      'cloudffmpeg.dev/profile': 'gvisor',
      'example.com/sandbox': 'gvisor',
    })
    expect(template.metadata?.annotations).to.include({ own: 'yes' }).and.not.have.property('all')
    expect(template.spec).to.deep.include({
      nodeSelector: { sandbox: 'gvisor' },
      runtimeClassName: 'gvisor',
      schedulerName: 'packing',
    })
    expect(template.spec?.tolerations).to.deep.include({ key: 'media', operator: 'Exists' })
    const [ffmpeg] = template.spec?.containers.filter(({ name }) => name === 'ffmpeg') ?? []
    expect(JSON.stringify(ffmpeg)).to.include('off')
    const [other] =
      jobOf({ accountPlan: 'pro' }).spec.template.spec?.containers.filter(
        ({ name }) => name === 'ffmpeg',
      ) ?? []
    expect(ffmpeg?.resources?.requests?.['cpu']).to.not.equal(other?.resources?.requests?.['cpu'])
  })

  it('leaves the commands of other plans as they are', () => {
    const { metadata, spec } = jobOf({ accountPlan: 'pro' })
    expect(metadata.labels).to.not.have.property('cloudffmpeg.dev/profile')
    expect(spec.template.spec).to.deep.include({ nodeSelector: { pool: 'media' } })
    expect(spec.template.metadata?.annotations).to.include({ all: 'yes' })
  })

  describe('with a size of its own', () => {
    const sized = (profile: RunnerProfile, planScratchMbytes: Record<string, number | null> = {}) =>
      jobOf(
        { accountPlan: 'free', vcpuCount: 2 },
        { ...settings, planScratchMbytes, profiles: { gvisor: profile } },
      ).spec.template
    const resourcesOf = (template: ReturnType<typeof sized>, container: string) =>
      template.spec?.containers.find(({ name }) => name === container)?.resources

    it('a Job has the memory of its profile for each vCPU', () => {
      const ffmpeg = resourcesOf(sized({ memoryPerVcpuMbytes: 4_096 }), 'ffmpeg')
      expect(ffmpeg?.limits?.['memory']).to.equal('8192Mi')
      expect(resourcesOf(sized({}), 'ffmpeg')?.limits?.['memory']).to.equal('2048Mi')
    })

    it('a Job has the working disk of its profile, or the lower one of its plan', () => {
      const diskOf = (...args: Parameters<typeof sized>) => {
        const template = sized(...args)
        const { annotations } = template.metadata ?? {}
        const volume = template.spec?.volumes?.find(({ name }) => name === 'scratch')
        expect(volume?.emptyDir?.sizeLimit).to.equal(
          `${annotations?.['cloudffmpeg.dev/scratch-mbytes']}Mi`,
        )
        return volume?.emptyDir?.sizeLimit
      }
      expect(diskOf({})).to.equal('20480Mi')
      // More than other runners have: the disks of its nodes are larger.
      expect(diskOf({ scratchMbytes: 99_000 })).to.equal('99000Mi')
      expect(diskOf({ scratchMbytes: 99_000 }, { free: null })).to.equal('99000Mi')
      expect(diskOf({ scratchMbytes: 99_000 }, { free: 1_000 })).to.equal('1000Mi')
      expect(diskOf({ scratchMbytes: 500 }, { free: 1_000 })).to.equal('500Mi')
    })

    it("requests extended resources for FFmpeg's container alone, with the limit equal", () => {
      const template = sized({ extraResources: { 'nvidia.com/gpu': 1 } })
      const { limits, requests } = resourcesOf(template, 'ffmpeg') ?? {}
      expect(limits).to.include({ 'nvidia.com/gpu': '1', cpu: '2000m' })
      expect(requests).to.include({ 'nvidia.com/gpu': '1', cpu: '2000m' })
      expect(JSON.stringify(resourcesOf(template, 'transfer'))).to.not.include('nvidia.com')
    })
  })

  describe('on spot nodes', () => {
    const on = (fallback: string | null) => ({
      ...settings,
      profiles: { gvisor: { spot: { fallback } }, stable: { runtimeClassName: 'runc' } },
    })

    it('a Job has the profile to fall back to, or none, once it has lost six pods on spot nodes', () => {
      const jobAfter = (spotLosses: number, fallback: string | null) => {
        const { metadata, spec } = jobOf({ accountPlan: 'free', spotLosses }, on(fallback))
        const { runtimeClassName } = spec.template.spec ?? {}
        return [metadata.labels?.['cloudffmpeg.dev/profile'], runtimeClassName]
      }
      expect(jobAfter(5, 'stable')).to.deep.equal(['gvisor', undefined])
      expect(jobAfter(6, 'stable')).to.deep.equal(['stable', 'runc'])
      expect(jobAfter(6, null)).to.deep.equal([undefined, undefined])
    })
  })

  it('a Job has the priority class of its command, or of its profile', () => {
    const classOf = (priority: 'low' | 'normal' | 'high', of = settings) =>
      jobOf({ accountPlan: 'free', priority }, of).spec.template.spec?.priorityClassName
    expect(classOf('high')).to.equal('media-high')
    expect(classOf('low')).to.equal('media-low')
    expect(classOf('normal')).to.equal(undefined)
    const profiles = { gvisor: { priorityClassName: 'own' } }
    expect(classOf('high', { ...settings, profiles })).to.equal('own')
  })
})
