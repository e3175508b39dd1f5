import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startApiServer } from '../../testing/support/kube-server.ts'
import type { ApiServer } from '../../testing/support/kube-server.ts'

/** Kinds that the chart renders or looks up, as the API server lists them. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  v1: ['Secret', 'ConfigMap', 'Service', 'ServiceAccount', 'Pod', 'Namespace', 'Node'],
  'apps/v1': ['Deployment'],
  'batch/v1': ['Job'],
  'networking.k8s.io/v1': ['NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
}
const clusterWide = [
  'Namespace',
  'Node',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
]

/**
 * A cluster for helm that has nothing but what the test answers by path.
 * @param objectAt null: there is none
 */
export function useFakeCluster(objectAt: (path: string) => object | null): {
  /** Arguments for helm to render with look-ups in it. */
  readonly args: () => string[]
} {
  let api: ApiServer
  let folder: string
  before(async () => {
    api = await startApiServer()
    api.answer = ({ url = '' }, response) => {
      const at = url.split('?', 1)[0] ?? ''
      const body = discovery(at) ?? objectAt(at)
      response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body ?? absent))
    }
    folder = await mkdtemp(path.join(tmpdir(), 'chart-cluster-'))
    await writeFile(path.join(folder, 'kubeconfig'), api.config().exportConfig())
  })
  after(async () => {
    await api.close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    args: () => [
      '--kubeconfig',
      path.join(folder, 'kubeconfig'),
      '--dry-run=server',
      '--disable-openapi-validation',
    ],
  }
}

/** Labels an object as helm does for its release `media`. */
export function ownedByHelm<T extends { readonly metadata: Metadata }>(object: T): T {
  const { annotations, ...metadata } = object.metadata
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, ...ownership } } }
}

interface Metadata {
  readonly annotations?: Readonly<Record<string, string>>
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

function discovery(url: string): object | null {
  if (url === '/version') return { major: '1', minor: '36', gitVersion: 'v1.36.0' }
  if (url === '/api') return { kind: 'APIVersions', versions: ['v1'] }
  if (url === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups() }
  const version = url.replace(/^\/apis?\//, '')
  if (!(version in kinds)) return null
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: version,
    resources: (kinds[version] ?? []).map(resourceOf),
  }
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
    kind,
    name: plural,
    singularName: kind.toLowerCase(),
    namespaced: !clusterWide.includes(kind),
    verbs: ['get', 'list', 'create'],
  }
}
