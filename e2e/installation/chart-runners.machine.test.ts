import { expect } from 'chai'
import { operatorSettingsIn, useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

const nodes = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' }

describe('the chart, for runners,', function () {
  this.timeout(900_000)
  const { render } = useChart()
  let objects: Rendered[]
  before(async () => {
    objects = await render('everything', '--set', 'fullnameOverride=')
  })

  const named = (kind: string) =>
    objects.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name)

  it('gives the operator what their pods have, and the profiles with what differs in them', () => {
    const annotations = {
      'sidecar.istio.io/inject': 'false',
      // Those that all objects have.
      'example.com/contact': 'media@example.com',
    }
    const { plans, runner } = operatorSettingsIn(objects)
    expect(runner.pod).to.deep.include({
      schedulerName: 'packing',
      annotations,
    })
    expect(runner.profiles).to.deep.equal({
      gvisor: {
        nodeSelector: { ...nodes, sandbox: 'gvisor' },
        tolerations: [{ key: 'gvisor', operator: 'Exists' }],
        runtimeClassName: 'gvisor',
        sandbox: 'off',
        pod: { labels: { 'example.com/sandbox': 'gvisor', team: 'media' } },
      },
      preemptible: {
        tolerations: [{ key: 'spot', operator: 'Exists' }],
        spot: { fallback: 'large' },
      },
      large: {
        memoryPerVcpuMbytes: 8_192,
        scratchMbytes: 200_000,
        extraResources: { 'nvidia.com/gpu': 1 },
        // The pool names the architectures by itself.
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        pod: { affinity: { nodeAffinity: onBothArchitectures } },
      },
    })
    expect(plans['free']?.profile).to.equal('gvisor')
  })

  it('takes true for a profile on spot nodes without another to fall back to, and false for none', async () => {
    const set = (spot: unknown) => ['--set-json', `runner.profiles.p.spot=${JSON.stringify(spot)}`]
    const profile = async (spot: unknown) =>
      operatorSettingsIn(await render('minimal', ...set(spot))).runner.profiles
    expect(await profile(true)).to.deep.equal({ p: { spot: { fallback: null } } })
    expect(await profile(false)).to.deep.equal({ p: {} })
    for (const fallback of ['p', 'missing']) {
      const message = await render('minimal', ...set({ fallback })).then(() => 'accepted', String)
      expect(message).to.include(`runner.profiles.p.spot.fallback '${fallback}' must be one of`)
    }
    expect(await render('minimal', ...set('yes')).then(() => 'accepted', String)).to.include(
      '/runner/profiles/p/spot',
    )
  })

  const onArchitectures = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] }
  const onBothArchitectures = {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        {
          matchExpressions: [{ key: 'disk', operator: 'In', values: ['large'] }, onArchitectures],
        },
        {
          matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }],
          matchExpressions: [onArchitectures],
        },
      ],
    },
  }

  it('adds the architectures of a profile to the affinity of all runners, where it has none of its own', async () => {
    const preferred = [{ weight: 1, preference: { matchExpressions: [] } }]
    const affinityWith = async (runner: object) => {
      const rendered = await render('minimal', '--set-json', `runner=${JSON.stringify(runner)}`)
      return operatorSettingsIn(rendered).runner.profiles['arm']?.pod?.affinity
    }
    const profiles = { arm: { arch: ['arm64'] } }
    const required = (terms: object[]) => ({
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
    })
    const on = { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }
    expect(await affinityWith({ profiles })).to.deep.equal({
      nodeAffinity: required([{ matchExpressions: [on] }]),
    })
    const affinity = {
      podAntiAffinity: {},
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: preferred,
        ...required([{}]),
      },
    }
    expect(await affinityWith({ profiles, affinity })).to.deep.equal(affinity)
    const pool = { key: 'pool', operator: 'Exists' }
    const pooled = { nodeAffinity: required([{ matchExpressions: [pool] }]) }
    expect(await affinityWith({ profiles, affinity: pooled })).to.deep.equal({
      nodeAffinity: required([{ matchExpressions: [pool, on] }]),
    })
    expect(await affinityWith({ profiles: { arm: {} }, affinity: pooled })).to.equal(undefined)
  })

  const refused: readonly [value: string, key: string, remedy: string][] = [
    ['plans.free.profile=gold', 'plans.free.profile', 'add it to runner.profiles'],
    ['runner.profiles.big.nodeSelectors.a=b', 'nodeSelectors', 'runner/profiles/big'],
    [
      'runner.profiles.big.memoryPerVcpuMbytes=16',
      'memoryPerVcpuMbytes',
      'minimum: got 16, want 64',
    ],
    ['runner.profiles.big.scratchMbytes=0', 'scratchMbytes', 'minimum: got 0, want 64'],
    ['runner.profiles.arm.arch={aarch64}', 'runner/profiles/arm/arch', "'amd64', 'arm64'"],
    [
      'runner.profiles.gpu.extraResources.gpu=1',
      'runner.profiles.gpu.extraResources',
      'as nvidia.com/gpu',
    ],
    [
      'runner.profiles.gpu.extraResources.nvidia\\.com/gpu=0',
      'runner/profiles/gpu/extraResources/nvidia.com~1gpu',
      'want 1',
    ],
    [
      'runner.profiles.gpu.extraResources.cards\\.kubernetes\\.io/gpu=1',
      'runner.profiles.gpu.extraResources',
      'the domain of its device plugin',
    ],
  ]
  for (const [value, key, remedy] of refused) {
    it(`refuses ${value} with the key and what to write`, async () => {
      const message = await render('minimal', '--set', value).then(() => 'accepted', String)
      expect(message).to.contain(key)
      expect(message).to.contain(remedy)
    })
  }

  it('makes PriorityClasses that end no pod, and tells the operator which priority has which', () => {
    expect(named('PriorityClass')).to.have.members([
      'media-media-low',
      'media-media-normal',
      'media-media-high',
    ])
    for (const each of objects.filter(({ kind }) => kind === 'PriorityClass')) {
      expect(each).to.have.property('preemptionPolicy', 'Never')
    }
    expect(operatorSettingsIn(objects).runner.priorityClassNames.high).to.equal('media-media-high')
  })

  it('pulls the image on the nodes of runners, and on those of each profile', () => {
    expect(named('DaemonSet')).to.have.members([
      'media-pre-pull',
      'media-pre-pull-gvisor',
      'media-pre-pull-large',
      'media-pre-pull-preemptible',
    ])
    const pods = objects
      .filter(({ kind }) => kind === 'DaemonSet')
      .map(({ spec }) => spec.template?.spec as unknown as Record<string, unknown>)
    const [all, gvisor, large] = pods
    expect(all).to.deep.include({ nodeSelector: nodes })
    expect(all).to.not.have.property('affinity')
    expect(gvisor).to.not.have.property('affinity')
    expect(large).to.deep.include({ affinity: { nodeAffinity: onBothArchitectures } })
    expect(gvisor).to.deep.include({ nodeSelector: { ...nodes, sandbox: 'gvisor' } })
    expect(large).to.deep.include({ nodeSelector: { 'kubernetes.io/os': 'linux' } })
    expect(gvisor?.['tolerations']).to.deep.equal([
      { key: 'media', operator: 'Exists' },
      { key: 'gvisor', operator: 'Exists' },
    ])
    const { image } = operatorSettingsIn(objects).runner
    for (const pod of pods) {
      expect(pod).to.have.nested.property('initContainers[0].image', image)
      expect(pod).to.have.property('automountServiceAccountToken', false)
    }
  })
})
