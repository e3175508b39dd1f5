import { expect } from 'chai'
import { row, owner } from '../../testing/support/operator/snapshot.ts'
import { runnerSettings } from '../../testing/support/operator/settings.ts'
import { jobFor } from './job.ts'
import { limitsFor } from './limits.ts'
import { specHash } from './spec-hash.ts'

const command = row({ jobGeneration: 1 })

function jobOf(settings: ReturnType<typeof runnerSettings>) {
  const limits = limitsFor(command, settings)
  return jobFor({ ...command, specHash: specHash(command), limits }, owner, settings)
}

function podOf(settings: ReturnType<typeof runnerSettings>) {
  const { spec } = jobOf(settings).spec.template
  if (spec === undefined) throw new Error('the Job has no pod spec')
  return spec
}

describe('what the settings say about the pod of a command', () => {
  it('takes the security contexts of the settings in place of its own, as those without ids', () => {
    const pod = {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containerSecurityContext: { allowPrivilegeEscalation: false },
    }
    const settings = runnerSettings({ pod })
    expect(podOf(settings).securityContext).to.deep.equal(pod.securityContext)
    expect(JSON.stringify(podOf(settings))).to.not.match(/runAsUser|runAsGroup|fsGroup|10001/)
    expect(podOf(settings)).to.not.have.property('containerSecurityContext')
    for (const { securityContext } of podOf(settings).containers) {
      expect(securityContext).to.deep.equal(pod.containerSecurityContext)
    }
  })

  it('a Job and its pod have the annotations of the settings, which may let an autoscaler evict it', () => {
    const evict = 'cluster-autoscaler.kubernetes.io/safe-to-evict'
    const annotationsOf = (annotations: Record<string, string>) => {
      const { metadata, spec } = jobOf(runnerSettings({ pod: { annotations } }))
      return { job: metadata.annotations, pod: spec.template.metadata?.annotations }
    }
    expect(annotationsOf({}).pod).to.include({ [evict]: 'false' })
    const given = { [evict]: 'true', 'example.com/contact': 'media' }
    expect(annotationsOf(given).pod).to.include({ ...given, 'karpenter.sh/do-not-disrupt': 'true' })
    expect(annotationsOf(given).job).to.include(given)
    const ofCommand = { 'cloudffmpeg.dev/spec-hash': 'other' }
    expect(annotationsOf(ofCommand).job).to.deep.equal(annotationsOf({}).job)
  })
})
