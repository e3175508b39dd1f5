import { expect } from 'chai'
import { deniedEndpoints, readsKubernetesApi } from '../../common/network/network-settings.ts'
import {
  apiServerSettingsIn,
  deployment,
  operatorSettingsIn,
  template,
  useChart,
} from './chart.fixture.ts'
import type { PodSpec, Rendered } from './chart.fixture.ts'

const file = '/etc/cloud-ffmpeg/trust/ca.crt'

describe('the surroundings of servers and runners in the chart', function () {
  this.timeout(900_000)
  const { refusal, render } = useChart()

  it('the values give servers and the Jobs of the bucket trust.caConfigMap, and name it to runners', async () => {
    const trusted = ['--set', 'trust.caConfigMap=company-ca']
    const objects = await render('minimal', ...trusted, '--set', 'storage.cors.apply=true')
    const job = objects.find(
      ({ kind, metadata }) => kind === 'Job' && metadata.name.endsWith('-cors'),
    )
    const pods = [
      deployment(objects, 'api-server'),
      deployment(objects, 'operator'),
      job?.spec.template?.spec,
    ]
    for (const pod of pods) {
      expect(valueOf(pod, 'NODE_EXTRA_CA_CERTS')).to.equal(file)
      expect(pod?.volumes).to.deep.include({
        name: 'trust',
        configMap: { name: 'company-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] },
      })
      expect(pod?.containers[0]?.volumeMounts).to.deep.include({
        name: 'trust',
        mountPath: '/etc/cloud-ffmpeg/trust',
        readOnly: true,
      })
    }
    expect(operatorSettingsIn(objects).trust.caConfigMap).to.equal('company-ca')
    const without = await render('minimal')
    expect(operatorSettingsIn(without).trust.caConfigMap).to.equal('')
    for (const server of ['api-server', 'operator']) {
      expect(valueOf(deployment(without, server), 'NODE_EXTRA_CA_CERTS')).to.equal(undefined)
      expect(checksum(without, server)).to.not.equal(checksum(objects, server))
    }
  })

  it('the chart refuses a second setting of the authorities', async () => {
    const own = '[{"name":"NODE_EXTRA_CA_CERTS","value":"/x"}]'
    const given = [
      '--set',
      'trust.caConfigMap=company-ca',
      '--set-json',
      `operator.extraEnv=${own}`,
    ]
    expect(await refusal(...given)).to.include(
      'operator.extraEnv must not hold NODE_EXTRA_CA_CERTS beside trust.caConfigMap',
    )
  })

  for (const entry of ['10.0.0.0:80', '10.0.0.0/8:0', '10.0.0.0/8:65536', '[10.0.0.0/8]:80']) {
    it(`the chart refuses ${entry} as a range with a port, and says how to write it`, async () => {
      expect(await refusal('--set', `network.allowCidrs={${entry}}`)).to.include(
        `network.allowCidrs must hold address ranges, or one port of a range; got '${entry}': write it like 10.20.0.0/16, 2001:db8::/32 or 10.20.0.5/32:8080`,
      )
    })
  }

  it('the chart refuses a port of a range that is denied, which is denied whole', async () => {
    expect(await refusal('--set', 'network.denyCidrs={10.0.0.0/8:80}')).to.include(
      "network.denyCidrs must hold address ranges; got '10.0.0.0/8:80'",
    )
  })

  for (const key of ['network.kubernetesApi', 'network.denyEndpoints']) {
    it(`the chart refuses hosts without a port in ${key}, and says how to write them`, async () => {
      for (const entry of ['10.0.0.1', 'fd00::1:6443', 'https://api:6443']) {
        expect(await refusal('--set', `${key}={${entry}}`)).to.include(
          `${key} must hold hosts with their ports; got '${entry}': write it like 10.0.0.1:6443`,
        )
      }
    })
  }

  it('the chart lets both servers read where the Kubernetes API is, and nothing else in default', async () => {
    const objects = await render('minimal')
    const [role, binding, ...others] = objects.filter(
      ({ metadata }) => metadata.namespace === 'default',
    )
    expect(others).to.deep.equal([])
    expect(role?.rules).to.deep.equal([
      {
        apiGroups: ['discovery.k8s.io'],
        resources: ['endpointslices'],
        resourceNames: ['kubernetes'],
        verbs: ['get'],
      },
    ])
    expect(binding?.subjects?.map(({ name }) => name)).to.have.members([
      'media-api-server',
      'media-operator',
    ])
    for (const settings of [apiServerSettingsIn(objects), operatorSettingsIn(objects)]) {
      expect(readsKubernetesApi(settings)).to.equal(true)
    }
  })

  it('the chart takes the addresses of the Kubernetes API from the values if set, without that role', async () => {
    for (const given of [[], ['10.250.0.1:6443', '[fd00::1]:6443']]) {
      const json = `network.kubernetesApi=${JSON.stringify(given)}`
      const objects = await render('minimal', '--set-json', json)
      expect(objects.filter(({ metadata }) => metadata.namespace === 'default')).to.deep.equal([])
      for (const settings of [apiServerSettingsIn(objects), operatorSettingsIn(objects)]) {
        expect(readsKubernetesApi(settings)).to.equal(false)
        expect(deniedEndpoints(settings)).to.include.members([
          'kubernetes.default.svc:443',
          ...given,
        ])
      }
    }
  })

  it('the policies open the metrics to all pods, or to metricsFrom alone, and the API to all', async () => {
    const from = [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
    ]
    const closed = await render(
      'minimal',
      '--set-json',
      `networkPolicy.metricsFrom=${JSON.stringify(from)}`,
    )
    for (const server of ['api-server', 'operator']) {
      expect(ruleOf(closed, server, 'metrics')).to.deep.equal({
        ports: [{ port: 'metrics' }],
        from,
      })
      expect(ruleOf(await render('minimal'), server, 'metrics')).to.not.have.property('from')
    }
    expect(ruleOf(closed, 'api-server', 'http')).to.deep.equal({ ports: [{ port: 'http' }] })
  })
})

function valueOf(pod: PodSpec | undefined, variable: string): string | undefined {
  return pod?.containers[0]?.env.find(({ name }) => name === variable)?.value
}

function checksum(objects: readonly Rendered[], server: string): string | undefined {
  return template(objects, server).metadata.annotations?.['checksum/secrets']
}

function ruleOf(objects: readonly Rendered[], server: string, port: string): unknown {
  const policy = objects.find(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === `media-${server}`,
  )
  if (policy === undefined) throw new Error(`no NetworkPolicy of ${server}`)
  const { ingress } = policy.spec as unknown as {
    readonly ingress: readonly { readonly ports: readonly { readonly port: unknown }[] }[]
  }
  return ingress.find(({ ports }) => ports.some((each) => each.port === port))
}
