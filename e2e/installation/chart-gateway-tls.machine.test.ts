import { X509Certificate, createPrivateKey } from 'node:crypto'
import { expect } from 'chai'
import { gatewayTlsSettings } from '../../operator/gateway/tls/gateway-tls-settings.ts'
import { variables } from '../../operator/settings.ts'
import type { OperatorSettings } from '../../operator/settings.ts'
import { readSettings } from '../../common/settings/settings.ts'
import { useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

describe('TLS of the gateway in the chart', function () {
  this.timeout(900_000)
  const { render } = useChart()
  const withMode = (mode: string, ...more: string[]) =>
    render('minimal', '--set', [`gateway.tls.mode=${mode}`, ...more].join(','))

  it('turns TLS of the gateway off where values say off, quoted or not', async () => {
    for (const mode of ['off', 'false']) {
      const objects = await withMode(mode)
      expect(gatewayTlsSettings(settingsOf(objects))).to.equal(null)
      expect(portsOf(objects)).to.deep.equal(['gateway:8090'])
      expect(named(objects, 'ConfigMap', 'media-gateway-ca')).to.equal(undefined)
    }
  })

  it('generates a certificate of an authority of its own for the names of the Service', async () => {
    const objects = await withMode('generated')
    const secret = named(objects, 'Secret', 'media-gateway-tls')
    const pem = (key: string) => Buffer.from(secret?.data?.[key] ?? '', 'base64').toString()
    const certificate = new X509Certificate(pem('tls.crt'))
    const authority = new X509Certificate(pem('ca.crt'))
    expect(certificate.checkIssued(authority)).to.equal(true)
    expect(certificate.verify(authority.publicKey)).to.equal(true)
    expect(certificate.checkPrivateKey(createPrivateKey(pem('tls.key')))).to.equal(true)
    for (const name of ['media-gateway', 'media-gateway.media.svc']) {
      expect(certificate.checkHost(name)).to.equal(name)
    }
    expect(Object.keys(secret?.data ?? {})).to.have.members(['tls.crt', 'tls.key', 'ca.crt'])
  })

  it('gives the operator the certificate and the right to write what runners trust', async () => {
    const objects = await withMode('generated')
    expect(gatewayTlsSettings(settingsOf(objects))).to.include({
      folder: '/etc/cloud-ffmpeg/gateway-tls',
      caConfigMap: 'media-gateway-ca',
      plainHttp: true,
    })
    expect(settingsOf(objects).CLOUD_FFMPEG_GATEWAY_URL).to.equal('https://media-gateway:8443')
    expect(keysOf(objects)).to.deep.equal(['tls.crt', 'tls.key', 'ca.crt'])
    expect(verbsOf(objects)).to.deep.equal(['get', 'patch'])
    expect(named(objects, 'ConfigMap', 'media-gateway-ca')).to.not.have.property('data')
  })

  it('opens plain HTTP beside TLS only where the values say so', async () => {
    expect(portsOf(await withMode('generated'))).to.deep.equal(['gateway:8090', 'gateway-tls:8443'])
    const alone = await withMode('generated', 'gateway.tls.plainHttp=false')
    expect(portsOf(alone)).to.deep.equal(['gateway-tls:8443'])
    const policy = named(alone, 'NetworkPolicy', 'media-runner')
    expect(JSON.stringify(policy)).to.include('"ports":[{"port":"gateway-tls"}]')
    expect(JSON.stringify(policy)).to.not.include('"port":"gateway"')
  })

  it('requests a certificate of cert-manager for the names of the Service', async () => {
    const issuer = 'gateway.tls.certManager.issuerRef'
    const objects = await withMode('certManager', `${issuer}.name=own,${issuer}.kind=ClusterIssuer`)
    const certificate = named(objects, 'Certificate', 'media-gateway-certificate')
    expect(certificate?.spec).to.deep.include({
      secretName: 'media-gateway-certificate',
      issuerRef: { name: 'own', kind: 'ClusterIssuer', group: 'cert-manager.io' },
      duration: '2160h',
      renewBefore: '720h',
    })
    expect(certificate?.spec).to.have.property('dnsNames').that.includes('media-gateway.media.svc')
    expect(volumeOf(objects)?.secretName).to.equal('media-gateway-certificate')
  })

  it('leaves a ConfigMap of the user alone', async () => {
    const own = ['gateway.tls.existingSecret=my-tls', 'gateway.tls.caConfigMap=my-authorities']
    const objects = await withMode('existingSecret', ...own)
    expect(settingsOf(objects).CLOUD_FFMPEG_GATEWAY_CA_CONFIG_MAP).to.equal('my-authorities')
    expect(volumeOf(objects)?.secretName).to.equal('my-tls')
    // Without ca.crt the operator writes nothing.
    expect(keysOf(objects)).to.deep.equal(['tls.crt', 'tls.key'])
    expect(verbsOf(objects)).to.deep.equal(['get'])
    expect(objects.filter(({ kind }) => kind === 'ConfigMap')).to.deep.equal([])
  })

  it('puts what runners trust where they run, and names the gateway so that they find it', async () => {
    const objects = await render('secrets-of-your-own', '--set', 'gateway.tls.mode=generated')
    const map = named(objects, 'ConfigMap', 'media-gateway-ca')
    expect(map?.metadata.namespace).to.equal('media-jobs')
    expect(settingsOf(objects).CLOUD_FFMPEG_GATEWAY_URL).to.equal(
      'https://media-gateway.media.svc:8443',
    )
  })
})

interface WithData extends Rendered {
  readonly data?: Record<string, string>
}

interface SecretVolume {
  readonly secretName: string
  readonly items: readonly { readonly key: string }[]
}

function named(objects: readonly WithData[], kind: string, name: string): WithData | undefined {
  return objects.find((each) => each.kind === kind && each.metadata.name === name)
}

function podOf(objects: readonly Rendered[]) {
  const pod = named(objects, 'Deployment', 'media-operator')?.spec.template?.spec
  if (pod === undefined) throw new Error('no Deployment of the operator')
  return pod
}

/** Reads the environment like the operator; values of Secrets and fields are filled in. */
function settingsOf(objects: readonly Rendered[]): OperatorSettings {
  const env = podOf(objects).containers[0]?.env ?? []
  const given = env.map(({ name, value = 'x' }) => [name, value])
  return readSettings(variables, Object.fromEntries(given) as Record<string, string>)
}

function volumeOf(objects: readonly Rendered[]): SecretVolume | undefined {
  const { volumes = [] } = podOf(objects) as {
    volumes?: readonly { name: string; secret?: SecretVolume }[]
  }
  return volumes.find(({ name }) => name === 'gateway-tls')?.secret
}

function keysOf(objects: readonly Rendered[]): string[] | undefined {
  return volumeOf(objects)?.items.map(({ key }) => key)
}

function verbsOf(objects: readonly Rendered[]): string[] | undefined {
  const rules = named(objects, 'Role', 'media-operator')?.rules ?? []
  return [...(rules.find(({ resources }) => resources?.[0] === 'configmaps')?.verbs ?? [])]
}

function portsOf(objects: readonly Rendered[]): string[] {
  const { ports = [] } = { ...named(objects, 'Service', 'media-gateway')?.spec } as {
    ports?: readonly { name: string; port: number }[]
  }
  return ports.map(({ name, port }) => `${name}:${port}`)
}
