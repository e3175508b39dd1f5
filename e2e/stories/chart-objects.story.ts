import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { foreignKinds } from '../../local-cluster/tools/foreign-kinds.ts'
import { chart, ensureNamespace, kubectl } from '../installation/install.ts'
import { useEnvironment } from '../steps/environment.ts'

/** The namespace of the release that is rendered, and those that the values name. */
const namespaces = ['rendered', 'media-jobs', 'team-a', 'team-b', '1234']
const folder = path.join(chart, 'ci')

describe('the objects that the chart renders', function () {
  this.timeout(600_000)
  const env = useEnvironment()
  before(async () => {
    const options = { settings: clusterSettings(process.env), say: () => undefined }
    for (const publisher of ['prometheus', 'gateway', 'certManager'] as const) {
      for (const definition of await foreignKinds(publisher, options)) {
        await kubectl(env.cluster, ['apply', '--server-side', '-f', '-'], definition)
      }
    }
    for (const each of namespaces) await ensureNamespace(env.cluster, each)
  })
  after(async () => {
    await kubectl(env.cluster, ['delete', 'namespace', ...namespaces, '--wait=false'])
  })

  it('the objects of the chart are taken by the Kubernetes API, each field, with all example values', async () => {
    const refused: string[] = []
    const files = (await readdir(folder)).filter((name) => name.endsWith('-values.yaml'))
    expect(files).to.include.members(['everything-values.yaml', 'minimal-values.yaml'])
    for (const file of files) {
      const rendered = await runCommand(env.cluster.helm, [
        'template',
        'media',
        chart,
        '--namespace',
        'rendered',
        '--values',
        path.join(folder, file),
      ])
      await kubectl(env.cluster, ['apply', ...withoutStoring, '-f', '-'], rendered).catch(
        (error: unknown) => refused.push(`${file}: ${String(error)}`),
      )
    }
    expect(refused).to.deep.equal([])
  })

  it('the objects of the chart are taken for release 123 in namespace 1234 and a version with a build', async () => {
    const archives = await mkdtemp(path.join(tmpdir(), 'chart-objects-'))
    try {
      const version = '0.2.0+4fda46f'
      await runCommand(env.cluster.helm, [
        'package',
        chart,
        '--version',
        version,
        '--app-version',
        version,
        '--destination',
        archives,
      ])
      for (const file of ['minimal', 'everything', 'monitoring', 'queue', 'openshift']) {
        const rendered = await runCommand(env.cluster.helm, [
          'template',
          '123',
          path.join(archives, `cloud-ffmpeg-${version}.tgz`),
          '--namespace',
          '1234',
          '--set',
          'fullnameOverride=',
          '--values',
          path.join(folder, `${file}-values.yaml`),
        ])
        await kubectl(env.cluster, ['apply', ...withoutStoring, '-f', '-'], rendered)
      }
    } finally {
      await rm(archives, { recursive: true, force: true })
    }
  })
})

/** `strict` refuses a field that the kind does not have. */
const withoutStoring = [
  '--server-side',
  '--force-conflicts',
  '--dry-run=server',
  '--validate=strict',
  '--field-manager',
  'chart-objects',
]
