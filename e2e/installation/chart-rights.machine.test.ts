import { expect } from 'chai'
import { noticesForeign } from '../../operator/configuration.ts'
import { deployment, operatorSettingsIn, useChart } from './chart.fixture.ts'
import type { PodSpec, Rendered } from './chart.fixture.ts'

describe('the rights and the surroundings of the chart', function () {
  this.timeout(900_000)
  const { render } = useChart()

  const named = (objects: readonly Rendered[], kind: string) =>
    objects.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name)
  const podsIn = (objects: readonly Rendered[]) =>
    objects
      .filter(({ kind }) => ['Deployment', 'DaemonSet', 'StatefulSet', 'Job', 'Pod'].includes(kind))
      .map(({ metadata, spec }) => ({ name: metadata.name, pod: spec.template?.spec ?? spec }))

  it('the chart has nothing outside of the namespace without rbac.clusterRoles and crds.install', async () => {
    const objects = await render('one-namespace', '--set', 'runner.warm.max=2')
    const outside = objects.filter(({ metadata }) => metadata.namespace !== 'media')
    expect(outside.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).to.deep.equal([])
    expect(noticesForeign(operatorSettingsIn(objects))).to.equal(false)
    const watching = ['--set', 'operator.watchNamespaces={team-a}']
    expect(named(await render('one-namespace', ...watching), 'ClusterRole')).to.deep.equal([])
  })

  it('the rights reach no further than users bind them, unless they are aggregated', async () => {
    const aggregated = async (...more: string[]) =>
      JSON.stringify(await render('minimal', ...more)).match(/aggregate-to-\w+/g)
    expect(await aggregated()).to.equal(null)
    expect(await aggregated('--set', 'rbac.aggregate=true')).to.have.members([
      'aggregate-to-view',
      'aggregate-to-edit',
    ])
    const roles = named(await render('minimal'), 'ClusterRole')
    expect(roles).to.include.members(['media-media-view', 'media-media-edit'])
    const both = ['--set', 'rbac.aggregate=true,rbac.clusterRoles=false']
    const message = await render('minimal', ...both).then(() => 'accepted', String)
    expect(message).to.include('rbac.aggregate has no effect with rbac.clusterRoles false')
  })

  it('the values for OpenShift have no id of a user or group, and reach its name servers', async () => {
    const more = ['--set', 'runner.prePull.enabled=true,storage.cors.apply=true']
    const objects = await render('openshift', ...more)
    const ids = /runAsUser|runAsGroup|fsGroup|supplementalGroups|10001/
    expect(podsIn(objects).map(({ name }) => name)).to.include.members([
      'media-api-server',
      'media-operator',
      'media-pre-pull',
      'media-storage-cors',
      'media-uninstall',
      'media-test',
    ])
    for (const { name, pod } of podsIn(objects)) {
      expect(JSON.stringify(pod.securityContext), name).to.not.match(ids)
      for (const each of pod.containers) {
        expect(JSON.stringify(each.securityContext), name).to.not.match(ids)
      }
    }
    const runner = operatorSettingsIn(objects).runner.pod
    expect(runner).to.deep.include({
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(JSON.stringify(runner)).to.not.match(ids)
    for (const policy of objects.filter(({ kind }) => kind === 'NetworkPolicy')) {
      const { egress } = policy.spec as unknown as { egress: { ports?: { port: unknown }[] }[] }
      expect(egress[0]?.ports?.map(({ port }) => port)).to.deep.equal([53, 53, 5353, 5353])
    }
  })

  it('the values let each security context of runners be replaced in part or as a whole', async () => {
    const podOf = async (...more: string[]) =>
      operatorSettingsIn(await render('minimal', ...more)).runner.pod
    expect(await podOf()).to.have.nested.property('securityContext.runAsUser', 10_001)
    const other = ['--set', 'runner.podSecurityContext.fsGroup=null']
    expect(await podOf(...other)).to.not.have.nested.property('securityContext.fsGroup')
    const none = ['--set', 'runner.podSecurityContext=null,runner.containerSecurityContext=null']
    expect(await podOf(...none)).to.deep.equal({
      securityContext: {},
      containerSecurityContext: {},
    })
  })

  it('the values bring pods to nodes of Linux and of the architecture of the images, or of any', async () => {
    const selectors = async (...more: string[]) => {
      const objects = await render('minimal', '--set', 'storage.cors.apply=true', ...more)
      const pods = podsIn(objects).map(({ pod }) => nodeSelectorOf(pod))
      return [operatorSettingsIn(objects).runner.nodeSelector, ...pods]
    }
    const linux = { 'kubernetes.io/os': 'linux' }
    const given: [string[], object][] = [
      [[], { ...linux, 'kubernetes.io/arch': 'amd64' }],
      [['--set', 'image.arch=arm64'], { ...linux, 'kubernetes.io/arch': 'arm64' }],
      [['--set', 'image.arch=null'], linux],
    ]
    for (const [more, selector] of given) {
      for (const each of await selectors(...more)) expect(each).to.deep.equal(selector)
    }
    const [runner] = await selectors('--set', 'runner.nodeSelector.disk=fast')
    expect(runner).to.deep.equal({ ...linux, 'kubernetes.io/arch': 'amd64', disk: 'fast' })
  })

  it('the chart refuses labels of nodes that are not texts', async () => {
    for (const key of ['apiServer', 'operator', 'runner', 'runner.profiles.p', 'runner.prePull']) {
      const set = ['--set-json', `${key}.nodeSelector={"tier":1}`]
      const message = await render('minimal', ...set).then(() => 'accepted', String)
      expect(message, key).to.match(/nodeSelector\/tier.*string/s)
    }
  })

  it('the values give the pods of hooks the resources of the values, and limits of CPU and memory by default', async () => {
    const hooks = async (...more: string[]) =>
      podsIn(await render('minimal', '--set', 'storage.cors.apply=true', ...more))
        .filter(({ name }) => /-(test|uninstall|storage-cors)$/.test(name))
        .map(({ pod }) => pod.containers[0] as unknown as { resources: object })
    expect(await hooks()).to.have.length(3)
    for (const { resources } of await hooks()) {
      expect(resources).to.deep.include({ limits: { cpu: '500m', memory: '256Mi' } })
    }
    for (const { resources } of await hooks('--set', 'hooks.resources.limits.cpu=2')) {
      expect(resources).to.deep.include({ limits: { cpu: 2, memory: '256Mi' } })
    }
  })

  it('the values let the pod of helm test be placed and reach the API where all else is denied', async () => {
    const tolerations = [{ key: 'media', operator: 'Exists' }]
    const set = ['--set-json', `apiServer.tolerations=${JSON.stringify(tolerations)}`]
    const objects = await render('minimal', ...set)
    const pod = podsIn(objects).find(({ name }) => name === 'media-test')?.pod
    expect(pod).to.deep.include({ tolerations })
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy')
    const policy = policies.find(({ metadata }) => metadata.name === 'media-test')
    expect(JSON.stringify(policy?.spec)).to.include('"app.kubernetes.io/component":"api-server"')
    const open = await render('minimal', '--set', 'networkPolicy.enabled=false')
    expect(named(open, 'NetworkPolicy')).to.deep.equal([])
  })

  it('the values put the common labels and annotations on the Jobs and pods of commands, in each profile', async () => {
    const set = [
      '--set',
      'commonLabels.team=media,commonAnnotations.contact=me',
      '--set',
      'runner.podLabels.team=runners,runner.profiles.p.podLabels.a=b',
    ]
    const objects = await render('minimal', ...set)
    const { pod, profiles } = operatorSettingsIn(objects).runner
    // The more special one wins.
    expect(pod).to.deep.include({ labels: { team: 'runners' }, annotations: { contact: 'me' } })
    expect(profiles).to.deep.equal({ p: { pod: { labels: { a: 'b', team: 'media' } } } })
  })

  it('the values take the images from other repositories of the registry', async () => {
    const objects = await render('one-namespace')
    expect(operatorSettingsIn(objects).runner.image).to.match(
      /^registry\.example\.com\/media\/mirror\/runner:/,
    )
    const digest = `sha256:${'0'.repeat(64)}`
    const pinned = await render('one-namespace', '--set', `operator.digest=${digest}`)
    expect(deployment(pinned, 'operator').containers[0]?.image).to.equal(
      `registry.example.com/media/mirror/operator@${digest}`,
    )
  })

  it('the chart requests 2 GiB of disk for a runner, and its limit with null', async () => {
    const request = async (...more: string[]) =>
      operatorSettingsIn(await render('minimal', ...more)).runner.scratchRequestMbytes
    expect(await request()).to.equal(2048)
    expect(await request('--set', 'runner.scratchRequestMbytes=null')).to.equal(null)
  })
})

function nodeSelectorOf(pod: PodSpec): unknown {
  return (pod as unknown as { readonly nodeSelector?: unknown }).nodeSelector
}
