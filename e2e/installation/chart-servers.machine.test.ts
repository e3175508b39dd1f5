import { expect } from 'chai'
import { operatorSettingsIn, useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

/** An object as YAML has it. */
type Fields = Readonly<Record<string, unknown>>

describe('the chart with every value that adds something', function () {
  this.timeout(900_000)
  const { render } = useChart()
  let objects: Rendered[]
  before(async () => {
    objects = await render('everything')
  })

  const one = (kind: string, name: string, among = objects): Fields => {
    const found = among.filter((each) => each.kind === kind && each.metadata.name === name)
    expect(found, `${kind} ${name}`).to.have.length(1)
    return found[0] as unknown as Fields
  }
  const podOf = (name: string, among = objects): Fields =>
    at(one('Deployment', name, among), 'spec.template.spec') as Fields

  it('begins all names with fullnameOverride, or with the release and nameOverride', async () => {
    const own = objects.filter(({ metadata }) => !/^(media-)?more$/.test(metadata.name))
    const names = own.map(({ metadata }) => metadata.name)
    expect(names.filter((name) => !/^(media-)?video-|cloudffmpeg\.dev$/.test(name))).to.deep.equal(
      [],
    )
    const other = await render('minimal', '--set', 'nameOverride=video')
    const server = one('Deployment', 'media-video-api-server', other)
    expect(at(server, 'spec.selector.matchLabels')).to.have.property(
      'app.kubernetes.io/name',
      'video',
    )
    const same = await render('minimal', '--set', 'nameOverride=med')
    one('Deployment', 'media-api-server', same)
  })

  it('gives all objects and pods the common labels and annotations, and leaves those of selectors as they are', async () => {
    const own = objects.filter(({ metadata }) => !/^(media-)?more$/.test(metadata.name))
    for (const object of own) {
      const all = [at(object, 'metadata'), at(object, 'spec.template.metadata')]
      for (const metadata of all.filter((each) => each !== undefined)) {
        expect(at(metadata, 'labels'), object.metadata.name).to.have.property('team', 'media')
        expect(at(metadata, 'annotations'), object.metadata.name).to.have.property(
          'example.com/contact',
        )
      }
    }
    const taken = await render(
      'minimal',
      '--set-json',
      'commonLabels={"app.kubernetes.io/name":"x"}',
    )
    const server = one('Deployment', 'media-api-server', taken)
    expect(at(server, 'spec.template.metadata.labels')).to.include(
      at(server, 'spec.selector.matchLabels'),
    )
  })

  it('adds extra objects, of which a text is a template', () => {
    expect(one('ConfigMap', 'more')).to.deep.include({ data: { from: 'a map' } })
    expect(one('ConfigMap', 'media-more')).to.deep.include({ data: { from: 'a text' } })
  })

  it('takes images by digest and pulls them by the Secrets of both lists', async () => {
    const image = (name: string) => String(at(podOf(name), 'containers.0.image'))
    expect(image('video-api-server')).to.match(/\/api-server@sha256:01/)
    expect(image('video-operator')).to.match(/\/operator@sha256:fe/)
    const { runner } = operatorSettingsIn(objects)
    expect(runner.image).to.match(/\/runner@sha256:00/)
    expect(runner.imagePullSecrets).to.deep.equal(['pull'])
    const both = await render(
      'secrets-of-your-own',
      '--set-json',
      'imagePullSecrets=[{"name":"other"}]',
    )
    expect(podOf('media-operator', both)['imagePullSecrets']).to.deep.equal([
      { name: 'pull' },
      { name: 'other' },
    ])
  })

  it('gives the pods of a server what its values add', () => {
    const deployment = one('Deployment', 'video-api-server')
    expect(deployment).to.not.have.nested.property('spec.replicas')
    expect(at(deployment, 'metadata.annotations')).to.have.property('reloader.stakater.com/auto')
    expect(at(deployment, 'spec')).to.deep.include({
      revisionHistoryLimit: 5,
      minReadySeconds: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
    })
    const metadata = at(deployment, 'spec.template.metadata')
    expect(at(metadata, 'labels')).to.have.property('example.com/pod', 'yes')
    expect(at(metadata, 'annotations')).to.include.keys('example.com/pod', 'checksum/secrets')
    const pod = podOf('video-api-server')
    expect(pod).to.deep.include({
      terminationGracePeriodSeconds: 60,
      priorityClassName: 'system-cluster-critical',
      hostAliases: [{ ip: '10.1.1.1', hostnames: ['s3.example.com'] }],
      dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
      initContainers: [{ name: 'before', image: 'registry.example.com/before' }],
      // null left the ids out.
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(at(pod, 'volumes')).to.deep.include({ name: 'more', configMap: { name: 'more' } })
    expect(at(pod, 'containers.0.volumeMounts')).to.deep.include({
      name: 'more',
      mountPath: '/etc/more',
      readOnly: true,
    })
    expect(at(pod, 'containers')).to.have.length(2)
    expect(at(pod, 'containers.0')).to.deep.include({
      envFrom: [{ configMapRef: { name: 'more', optional: true } }],
      lifecycle: { preStop: { sleep: { seconds: 5 } } },
    })
    expect(at(pod, 'containers.0.startupProbe')).to.deep.include({
      failureThreshold: 900,
      periodSeconds: 1,
      httpGet: { path: '/livez', port: 'http' },
    })
    expect(at(pod, 'containers.0.env')).to.deep.include({
      name: 'NODE_EXTRA_CA_CERTS',
      value: '/etc/more/ca.crt',
    })
  })

  it('mounts in the Job of the CORS rule what the API server needs to reach the storage', () => {
    const pod = at(one('Job', 'video-storage-cors'), 'spec.template.spec')
    expect(at(pod, 'volumes.3.name')).to.equal('more')
    expect(at(pod, 'containers.0.volumeMounts.3.mountPath')).to.equal('/etc/more')
  })

  it('lets the Job of the CORS rule find the hosts that the API server finds', () => {
    const fields = ['hostAliases', 'dnsPolicy', 'dnsConfig'] as const
    const job = at(one('Job', 'video-storage-cors'), 'spec.template.spec') as Fields
    const server = podOf('video-api-server')
    for (const field of fields) {
      expect(server[field], field).to.not.equal(undefined)
      expect(job[field], field).to.deep.equal(server[field])
    }
  })

  it('binds the roles to a ServiceAccount of the user, and makes none then', () => {
    expect(podOf('video-operator')['serviceAccountName']).to.equal('my-operator')
    const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount')
    expect(accounts.map(({ metadata }) => metadata.name)).to.not.include('video-operator')
    const bound = objects
      .filter(({ kind }) => kind.endsWith('Binding'))
      .flatMap(({ subjects = [] }) => subjects.map(({ name }) => name))
    expect(bound).to.include('my-operator')
    expect(bound).to.not.include('video-operator')
    expect(one('ServiceAccount', 'video-api-server')).to.have.nested.property(
      'metadata.annotations.eks\\.amazonaws\\.com/role-arn',
    )
  })

  it('spreads the pods of a server over nodes and zones, unless that is off or given', async () => {
    const keysOf = (pod: Fields) =>
      ((pod['topologySpreadConstraints'] ?? []) as Fields[]).map((each) => each['topologyKey'])
    expect(keysOf(podOf('video-api-server'))).to.deep.equal([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ])
    expect(keysOf(podOf('video-operator'))).to.deep.equal([])
    const given = '[{"maxSkew":1,"topologyKey":"rack","whenUnsatisfiable":"DoNotSchedule"}]'
    const own = await render('minimal', '--set-json', `operator.topologySpreadConstraints=${given}`)
    expect(keysOf(podOf('media-operator', own))).to.deep.equal(['rack'])
  })

  it('replaces the pods of Recreate without the figures of a rolling update', () => {
    expect(at(one('Deployment', 'video-operator'), 'spec.strategy')).to.deep.equal({
      type: 'Recreate',
    })
  })

  it('keeps one pod of two replicas in a drain, and has no budget for a single pod', async () => {
    expect(at(one('PodDisruptionBudget', 'video-api-server'), 'spec')).to.deep.include({
      maxUnavailable: '25%',
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    })
    expect(at(one('PodDisruptionBudget', 'video-operator'), 'spec')).to.include({ minAvailable: 1 })
    const single = await render('minimal', '--set', 'apiServer.replicas=1,operator.replicas=1')
    expect(single.map(({ kind }) => kind)).to.not.include('PodDisruptionBudget')
    const off = await render('minimal', '--set', 'operator.podDisruptionBudget.enabled=false')
    const budgets = off.filter(({ kind }) => kind === 'PodDisruptionBudget')
    expect(budgets.map(({ metadata }) => metadata.name)).to.deep.equal(['media-api-server'])
  })

  it('scales the API server by its CPU', () => {
    expect(at(one('HorizontalPodAutoscaler', 'video-api-server'), 'spec')).to.deep.equal({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'video-api-server' },
      minReplicas: 2,
      maxReplicas: 10,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
    })
  })

  it('leads hosts of an Ingress and an HTTPRoute to the Service of the API', () => {
    const rules = at(one('Ingress', 'video-api-server'), 'spec.rules') as Fields[]
    expect(rules.map((rule) => rule['host'])).to.deep.equal([
      'media.example.com',
      '*.media.example.com',
    ])
    const paths = rules.flatMap((rule) => at(rule, 'http.paths') as Fields[])
    expect(paths.map(({ path, pathType }) => [path, pathType])).to.deep.equal([
      ['/', 'Prefix'],
      ['/v1', 'Prefix'],
    ])
    for (const each of paths) {
      expect(at(each, 'backend.service')).to.deep.equal({
        name: 'video-api-server',
        port: { name: 'http' },
      })
    }
    expect(at(one('HTTPRoute', 'video-api-server'), 'spec')).to.deep.include({
      hostnames: ['media.example.com'],
      parentRefs: [{ name: 'public', namespace: 'gateways' }],
    })
    expect(at(one('HTTPRoute', 'video-api-server'), 'spec.rules.0')).to.deep.include({
      backendRefs: [{ name: 'video-api-server', port: 80 }],
      timeouts: { request: '0s' },
    })
    expect(at(one('Service', 'video-api-server'), 'spec')).to.deep.include({
      type: 'LoadBalancer',
      loadBalancerClass: 'example.com/internal',
      loadBalancerSourceRanges: ['10.0.0.0/8'],
      externalTrafficPolicy: 'Local',
      ipFamilyPolicy: 'PreferDualStack',
    })
  })

  it('keeps the address of clients at a NodePort, unless a value says otherwise', async () => {
    for (const [flags, policy] of [
      [['--set', 'apiServer.service.type=NodePort'], 'Local'],
      [
        [
          '--set',
          'apiServer.service.type=NodePort,apiServer.service.externalTrafficPolicy=Cluster',
        ],
        'Cluster',
      ],
      [[], undefined],
    ] as const) {
      const rendered = await render('minimal', ...flags)
      const service = rendered.find(
        ({ kind, metadata }) => kind === 'Service' && metadata.name.endsWith('-api-server'),
      )
      expect(at(service, 'spec.externalTrafficPolicy'), flags.join(' ')).to.equal(policy)
    }
  })
})

/** @param path field names and indexes, joined by dots */
function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Fields | undefined)?.[name], value)
}
