import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { startApiServer } from '../../testing/support/kube-server.ts'
import type { ApiServer } from '../../testing/support/kube-server.ts'
import { useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

interface Secret extends Rendered {
  readonly data: Record<string, string>
}

const name = 'media-gateway-tls'
const renewAfter = 'cloudffmpeg.dev/renew-after'

/** Kinds that the chart renders, as the API server lists them. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  v1: ['Secret', 'ConfigMap', 'Service', 'ServiceAccount', 'Pod', 'Namespace'],
  'apps/v1': ['Deployment'],
  'batch/v1': ['Job'],
  'networking.k8s.io/v1': ['NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
}
const clusterWide = ['Namespace', 'ClusterRole', 'ClusterRoleBinding', 'CustomResourceDefinition']

describe('the generated certificate of the gateway', function () {
  this.timeout(900_000)
  const { render } = useChart()
  let api: ApiServer
  let folder: string
  /** What the namespace holds. */
  let stored: Secret | null
  before(async () => {
    api = await startApiServer()
    api.answer = ({ url = '' }, response) => {
      const body = answerTo(url.split('?', 1)[0] ?? '', stored)
      response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body ?? absent))
    }
    folder = await mkdtemp(path.join(tmpdir(), 'chart-renewal-'))
    await writeFile(path.join(folder, 'kubeconfig'), api.config().exportConfig())
  })
  after(async () => {
    await api.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    stored = null
  })

  it('is kept over an upgrade before a third of its life is over', async () => {
    stored = await rendered()
    expect((await rendered()).data).to.deep.equal(stored.data)
    expect(noteOf(await rendered())).to.equal(noteOf(stored))
  })

  it('is made anew by the first upgrade after a third of its life', async () => {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const first = await rendered()
    const third = (3_650 / 3) * 86_400
    expect(noteOf(first)).to.be.within(nowSeconds + third, Date.now() / 1000 + third)
    stored = withNote(first, nowSeconds - 1)
    const second = await rendered()
    expect(second.data['tls.crt']).to.not.equal(first.data['tls.crt'])
    expect(second.data['ca.crt']).to.not.equal(first.data['ca.crt'])
    expect(noteOf(second)).to.be.greaterThan(nowSeconds + 86_400)
  })

  it('is made anew for another generation', async () => {
    stored = await rendered()
    const second = await rendered('gateway.tls.generated.generation=2')
    expect(second.data['ca.crt']).to.not.equal(stored.data['ca.crt'])
  })

  async function rendered(...more: string[]): Promise<Secret> {
    const values = ['gateway.tls.mode=generated', ...more].join(',')
    const objects = await render(
      'minimal',
      ...['--set', values, '--kubeconfig', path.join(folder, 'kubeconfig')],
      ...['--dry-run=server', '--disable-openapi-validation'],
    )
    const secret = objects.find(({ metadata }) => metadata.name === name)
    if (secret === undefined) throw new Error('no Secret of the gateway')
    return secret as Secret
  }
})

function noteOf({ metadata }: Secret): number {
  return Number(metadata.annotations?.[renewAfter])
}

function withNote(secret: Secret, seconds: number): Secret {
  const annotations = { ...secret.metadata.annotations, [renewAfter]: String(seconds) }
  return { ...secret, metadata: { ...secret.metadata, annotations } }
}

const absent = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'NotFound',
  code: 404,
}

/** Helm writes these to each object. */
const ownership = {
  'meta.helm.sh/release-name': 'media',
  'meta.helm.sh/release-namespace': 'media',
}

/** Discovery, and the one object. */
function answerTo(url: string, stored: Secret | null): object | null {
  if (url === '/version') return { major: '1', minor: '36', gitVersion: 'v1.36.0' }
  if (url === '/api') return { kind: 'APIVersions', versions: ['v1'] }
  if (url === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups() }
  const version = url.replace(/^\/apis?\//, '')
  if (version in kinds) {
    return {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: version,
      resources: (kinds[version] ?? []).map(resourceOf),
    }
  }
  if (url !== `/api/v1/namespaces/media/secrets/${name}` || stored === null) return null
  const { annotations, ...metadata } = stored.metadata
  return { ...stored, metadata: { ...metadata, annotations: { ...annotations, ...ownership } } }
}

function groups(): object[] {
  return Object.keys(kinds)
    .filter((version) => version.includes('/'))
    .map((groupVersion) => {
      const [group = '', version = ''] = groupVersion.split('/')
      const served = { groupVersion, version }
      return { name: group, versions: [served], preferredVersion: served }
    })
}

function resourceOf(kind: string): object {
  const plural = kind.toLowerCase().replace(/y$/, 'ie') + 's'
  return {
    ...{ kind, name: plural, singularName: kind.toLowerCase() },
    ...{ namespaced: !clusterWide.includes(kind), verbs: ['get', 'list', 'create'] },
  }
}
