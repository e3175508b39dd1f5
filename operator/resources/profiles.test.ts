import { expect } from 'chai'
import { row, runnerSettings } from '../decide/snapshot.fixture.ts'
import { jobFor } from './job.ts'
import { limitsFor } from './limits.ts'
import { specHash } from './spec-hash.ts'
import type { RunnerSettings } from './runner-settings.ts'

const owner = { kind: 'FfmpegCommand', name: 'ffc-x', uid: 'uid-of-resource' } as const

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
    const work = row({ round: 1, ...changes })
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
      ...{ nodeSelector: { sandbox: 'gvisor' }, runtimeClassName: 'gvisor' },
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

  it('has the priority class of its command, or of its profile', () => {
    const classOf = (priority: 'low' | 'normal' | 'high', of = settings) =>
      jobOf({ accountPlan: 'free', priority }, of).spec.template.spec?.priorityClassName
    expect(classOf('high')).to.equal('media-high')
    expect(classOf('low')).to.equal('media-low')
    expect(classOf('normal')).to.equal(undefined)
    const profiles = { gvisor: { priorityClassName: 'own' } }
    expect(classOf('high', { ...settings, profiles })).to.equal('own')
  })
})
