import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { createClient } from '../../cli/client/client.ts'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { buildEvaluationImages } from '../installation/evaluation/evaluation-images.ts'
import { ensureNamespace, helmUpgrade, kubectl, merge } from '../installation/install.ts'
import type { Values } from '../installation/install.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { useEnvironment } from '../steps/environment.ts'
import { portForward } from '../steps/port-forward.ts'
import type { PortForward } from '../steps/port-forward.ts'
import { runsFor, submitAndWait } from '../steps/submit-and-wait.ts'
import type { CommandStatusRecord } from '../../cli/client/client.ts'
import { kubectlTimeout } from '../steps/eventually.ts'

const namespace = 'evaluation'
const storageClassName = 'evaluation'
const users = { 'evaluation-database': 999, 'evaluation-storage': 10_001 }

describe('an installation for evaluation, without any outside database or bucket', function () {
  this.timeout(600_000)
  const env = useEnvironment()
  const forwards: PortForward[] = []
  let folder: string
  let values: Values
  before(async () => {
    const say = (text: string): void => console.log(`  [evaluation] ${text}`)
    const settings = clusterSettings(process.env)
    const images = await buildEvaluationImages({ settings, say })
    for (const { archive, name } of [images.database, images.storage]) {
      await env.cluster.loadImage(archive, name)
    }
    folder = await mkdtemp(path.join(tmpdir(), 'evaluation-'))
    await ensureNamespace(env.cluster, namespace)
    await makeVolumes()
    const { database, storage, apiServer, ...rest } = env.installed.values
    expect([database, storage]).to.not.include(undefined)
    values = merge(rest, {
      // The fixed NodePort is that of the first release.
      apiServer: { ...(apiServer as Values), service: { type: 'ClusterIP' } },
      crds: { install: false },
      evaluation: {
        enabled: true,
        volume: { size: '1Gi', storageClassName },
        database: { image: images.database.name },
        storage: { image: images.storage.name },
      },
    })
    await helmUpgrade(env.cluster, namespace, values)
  })
  afterEach(() => Promise.all(forwards.splice(0).map((forward) => forward.close())))
  after(async () => {
    await helm('uninstall', 'cloud-ffmpeg', '--wait').catch(() => undefined)
    await inCluster('delete', 'namespace', namespace, '--ignore-not-found', kubectlTimeout)
    await inCluster('delete', 'persistentvolume', '-l', 'of=evaluation', '--ignore-not-found')
    await rm(folder, { recursive: true, force: true })
  })

  const inCluster = (...args: string[]) => kubectl(env.cluster, args)
  const inNamespace = (...args: string[]) => kubectl(env.cluster, ['-n', namespace, ...args])
  const helm = (...args: string[]) =>
    runCommand(env.cluster.helm, ['--namespace', namespace, ...args], {
      env: { KUBECONFIG: env.cluster.kubeconfig },
    })

  /** The cluster of the stories makes no volumes. */
  async function makeVolumes(): Promise<void> {
    const items = await Promise.all(
      Object.entries(users).map(async ([component, uid]) => {
        const at = path.join(folder, component)
        await mkdir(at)
        await chown(at, uid, uid)
        const claim = `data-cloud-ffmpeg-${component}-0`
        return {
          apiVersion: 'v1',
          kind: 'PersistentVolume',
          metadata: { name: component, labels: { of: 'evaluation' } },
          spec: {
            storageClassName,
            capacity: { storage: '1Gi' },
            accessModes: ['ReadWriteOnce'],
            hostPath: { path: at },
            persistentVolumeReclaimPolicy: 'Retain',
            claimRef: { namespace, name: claim },
          },
        }
      }),
    )
    await kubectl(env.cluster, ['apply', '-f', '-'], JSON.stringify({ ...list, items }))
  }

  async function forward(service: string, ports: string): Promise<string> {
    const opened = await portForward(env.cluster, {
      namespace,
      service: `cloud-ffmpeg-${service}`,
      ports,
    })
    forwards.push(opened)
    return opened.url
  }

  async function client() {
    const template = 'go-template={{index .data "api-key" | base64decode}}'
    const apiKey = await inNamespace('get', 'secret', 'cloud-ffmpeg-bootstrap', '-o', template)
    return createClient({ url: await forward('api-server', ':80'), apiKey })
  }

  const urlOf = (record: CommandStatusRecord) => record.output_files?.['out_1']?.storage_url ?? ''

  it('runs a command and serves its output, both by the port-forwards of NOTES', async () => {
    const record = await submitAndWait(await client(), runsFor(1))
    expect(record.status, record.error_message ?? '').to.equal('SUCCESS')
    expect(urlOf(record)).to.match(/^http:\/\/127\.0\.0\.1:7070\/cloud-ffmpeg\/public\//)
    await forward('evaluation-storage', '7070:7070')
    const answer = await fetch(urlOf(record))
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'video/mp4'])
  })

  it('warns in its notes', async () => {
    expect(await helm('get', 'notes', 'cloud-ffmpeg')).to.match(
      /WARNING: evaluation\.enabled.*without backup/s,
    )
  })

  it('the installation passes helm test', async () => {
    await helm('test', 'cloud-ffmpeg', kubectlTimeout)
  })

  it('keeps commands, outputs and passwords over an upgrade and new pods', async () => {
    const api = await client()
    const before = await submitAndWait(api, runsFor(1))
    const secret = () => inNamespace('get', 'secret', 'cloud-ffmpeg-evaluation', '-o', 'yaml')
    const known = await secret()
    await helmUpgrade(env.cluster, namespace, merge(values, { logLevel: 'debug' }))
    expect(dataOf(await secret())).to.equal(dataOf(known))
    await inNamespace(
      'delete',
      'pods',
      '-l',
      'app.kubernetes.io/component in (evaluation-database,evaluation-storage)',
    )
    for (const component of Object.keys(users)) {
      await inNamespace('rollout', 'status', `statefulset/cloud-ffmpeg-${component}`)
    }
    await inNamespace('rollout', 'status', 'deployment/cloud-ffmpeg-api-server')
    const again = await client()
    const after = await submitAndWait(again, runsFor(1))
    expect(after.status, after.error_message ?? '').to.equal('SUCCESS')
    expect((await again.getCommand(before.command_id)).status).to.equal('SUCCESS')
    await forward('evaluation-storage', '7070:7070')
    expect((await fetch(urlOf(before))).status).to.equal(200)
  })

  it('the installation leaves neither a claim nor what keeps its namespace when it is uninstalled', async () => {
    await helm('uninstall', 'cloud-ffmpeg', '--wait')
    await inNamespace('wait', '--for=delete', 'persistentvolumeclaims', '--all', kubectlTimeout)
    await inCluster('delete', 'namespace', namespace, kubectlTimeout)
  })
})

const list = { apiVersion: 'v1', kind: 'List' }

function dataOf(secret: string): string {
  return /^data:\n(?: .*\n)+/m.exec(secret)?.[0] ?? ''
}
