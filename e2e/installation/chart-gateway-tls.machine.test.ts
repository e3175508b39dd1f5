import { expect } from 'chai'
import { gatewayTlsFolder } from '../../operator/configuration.ts'
import { operatorSettingsIn, useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

describe('TLS of the gateway in the chart', function () {
  this.timeout(900_000)
  const { render } = useChart()
  const ownSecret = ['--set', 'gateway.tls.existingSecret=my-tls']

  it('TLS of the gateway is off where values name no Secret and no issuer', async () => {
    const objects = await render('minimal')
    expect(gatewayTlsFolder(operatorSettingsIn(objects))).to.equal(null)
    expect(operatorSettingsIn(objects).gateway.url).to.equal('http://media-gateway:8090')
    expect(volumeOf(objects)).to.equal(undefined)
  })

  it('gives the operator a Secret of the user, and runners an address with https', async () => {
    const objects = await render('minimal', ...ownSecret)
    expect(gatewayTlsFolder(operatorSettingsIn(objects))).to.equal('/etc/cloud-ffmpeg/gateway-tls')
    expect(mountOf(objects)?.mountPath).to.equal('/etc/cloud-ffmpeg/gateway-tls')
    expect(operatorSettingsIn(objects).gateway.url).to.equal('https://media-gateway:8090')
    expect(volumeOf(objects)?.secretName).to.equal('my-tls')
  })

  it('adds no object and no right to those of plain HTTP', async () => {
    const identities = (objects: readonly Rendered[]) =>
      objects
        .filter(({ kind }) => kind !== 'Deployment' && kind !== 'ConfigMap')
        .map((object) => JSON.stringify(object))
        .toSorted()
    const secure = identities(await render('minimal', ...ownSecret))
    expect(secure).to.deep.equal(identities(await render('minimal')))
  })

  it('requests a certificate of cert-manager for the names of the Service', async () => {
    const issuer = 'gateway.tls.certManager.issuerRef'
    const values = `${issuer}.name=own,${issuer}.kind=ClusterIssuer`
    const objects = await render('minimal', '--set', values)
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

  it('names the gateway so that runners in another namespace find it', async () => {
    const objects = await render('secrets-of-your-own', ...ownSecret)
    expect(operatorSettingsIn(objects).gateway.url).to.equal('https://media-gateway.media.svc:8090')
  })
})

interface SecretVolume {
  readonly secretName: string
}

function named(objects: readonly Rendered[], kind: string, name: string): Rendered | undefined {
  return objects.find((each) => each.kind === kind && each.metadata.name === name)
}

function podOf(objects: readonly Rendered[]) {
  const pod = named(objects, 'Deployment', 'media-operator')?.spec.template?.spec
  if (pod === undefined) throw new Error('no Deployment of the operator')
  return pod
}

function volumeOf(objects: readonly Rendered[]): SecretVolume | undefined {
  const { volumes = [] } = podOf(objects) as {
    volumes?: readonly { name: string; secret?: SecretVolume }[]
  }
  return volumes.find(({ name }) => name === 'gateway-tls')?.secret
}

function mountOf(objects: readonly Rendered[]): { readonly mountPath: string } | undefined {
  const [container] = podOf(objects).containers as readonly {
    readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  }[]
  return container?.volumeMounts?.find(({ name }) => name === 'gateway-tls')
}
