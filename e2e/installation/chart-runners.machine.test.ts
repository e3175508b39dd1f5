import { expect } from 'chai'
import { deployment, useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

describe('the chart, for runners,', function () {
  this.timeout(900_000)
  const { render } = useChart()
  let objects: Rendered[]
  before(async () => {
    objects = await render('everything', '--set', 'fullnameOverride=')
  })

  const valueOf = (name: string): unknown => {
    const { env = [] } = deployment(objects, 'operator').containers[0] ?? {}
    return JSON.parse(env.find((each) => each.name === `CLOUD_FFMPEG_${name}`)?.value ?? 'null')
  }
  const named = (kind: string) =>
    objects.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name)

  it('gives the operator what their pods have, and the profiles with what differs in them', () => {
    expect(valueOf('RUNNER_POD')).to.deep.include({
      ...{ schedulerName: 'packing', annotations: { 'sidecar.istio.io/inject': 'false' } },
    })
    expect(valueOf('RUNNER_PROFILES')).to.deep.equal({
      gvisor: {
        nodeSelector: { sandbox: 'gvisor' },
        tolerations: [{ key: 'gvisor', operator: 'Exists' }],
        runtimeClassName: 'gvisor',
        sandbox: 'off',
        pod: { labels: { 'example.com/sandbox': 'gvisor' } },
      },
    })
    expect(valueOf('PLANS')).to.have.nested.property('free.profile', 'gvisor')
  })

  it('makes PriorityClasses that end no pod, and tells the operator which priority has which', () => {
    expect(named('PriorityClass')).to.have.members([
      ...['media-media-low', 'media-media-normal', 'media-media-high'],
    ])
    for (const each of objects.filter(({ kind }) => kind === 'PriorityClass')) {
      expect(each).to.have.property('preemptionPolicy', 'Never')
    }
    expect(valueOf('RUNNER_PRIORITY_CLASSES')).to.have.property('high', 'media-media-high')
  })

  it('pulls the image on the nodes of runners, and on those of each profile', () => {
    expect(named('DaemonSet')).to.have.members(['media-pre-pull', 'media-pre-pull-gvisor'])
    const pods = objects
      .filter(({ kind }) => kind === 'DaemonSet')
      .map(({ spec }) => spec.template?.spec as unknown as Record<string, unknown>)
    const [all, gvisor] = pods
    expect(all).to.not.have.property('nodeSelector')
    expect(gvisor).to.deep.include({ nodeSelector: { sandbox: 'gvisor' } })
    expect(gvisor?.['tolerations']).to.deep.equal([
      { key: 'media', operator: 'Exists' },
      { key: 'gvisor', operator: 'Exists' },
    ])
    const image = deployment(objects, 'operator').containers[0]?.env.find(
      ({ name }) => name === 'CLOUD_FFMPEG_RUNNER_IMAGE',
    )?.value
    for (const pod of pods) {
      expect(pod).to.have.nested.property('initContainers[0].image', image)
      expect(pod).to.have.property('automountServiceAccountToken', false)
    }
  })
})
