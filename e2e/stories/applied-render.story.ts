import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createClient } from '../../cli/client/client.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { chart, ensureNamespace, kubectl, merge } from '../installation/install.ts'
import type { Values } from '../installation/install.ts'
import { useEnvironment } from '../steps/environment.ts'
import { eventually, kubectlTimeout } from '../steps/eventually.ts'
import { portForward } from '../steps/port-forward.ts'
import { runsFor, submitAndWait } from '../steps/submit-and-wait.ts'

const namespace = 'applied'
const servers = ['deployment/cloud-ffmpeg-api-server', 'deployment/cloud-ffmpeg-operator']
const keep = 'cloudffmpeg.dev/keep'

describe('a release that a tool renders without the cluster and applies with kubectl', function () {
  this.timeout(600_000)
  const env = useEnvironment()
  let values: Values
  let firstKey: string
  before(async () => {
    const bucket = `${env.installed.bucket}-${namespace}`
    await env.s3.createBucket(bucket, { publicPrefix: 'public/' })
    const url = await env.postgres.createDatabase(`cloud_ffmpeg_${randomUUID()}`)
    await ensureNamespace(env.cluster, namespace)
    values = merge(env.installed.values, {
      database: { url },
      storage: { bucket, cors: { apply: false } },
      // The fixed NodePort is that of the first release.
      apiServer: { service: { type: 'ClusterIP', nodePort: null } },
      operator: { keepFinishedSeconds: 5, keepFinished: 0 },
      crds: { install: false },
      rbac: { clusterRoles: false },
    })
    await apply(await rendered())
    for (const each of servers) await within('rollout', 'status', each, kubectlTimeout)
    firstKey = await key()
  })
  after(async () => {
    await within('delete', 'ffmpegcommands.cloudffmpeg.dev', '--all', kubectlTimeout)
    await kubectl(env.cluster, ['delete', 'namespace', namespace, '--wait=false'])
  })

  const within = (...args: string[]) => kubectl(env.cluster, ['-n', namespace, ...args])
  // Without -n: each object names its namespace.
  const apply = (text: string) => kubectl(env.cluster, ['apply', '-f', '-'], text)
  const rendered = () =>
    runCommand(
      env.cluster.helm,
      ['template', 'cloud-ffmpeg', chart, '--namespace', namespace, '--no-hooks', '--values', '-'],
      { input: JSON.stringify(values) },
    )
  const generations = (text: string) => {
    const line = '{.kind} {.metadata.name} {.metadata.generation}{"\\n"}'
    const of = ['get', '-f', '-', '-o', `jsonpath={range .items[*]}${line}{end}`]
    return kubectl(env.cluster, of, text)
  }
  const key = () =>
    within(
      'get',
      'secret',
      'cloud-ffmpeg-bootstrap',
      '-o',
      'go-template={{index .data "api-key" | base64decode}}',
    )

  it('the release has the key that the API server made, by which a command runs', async () => {
    expect(firstKey).to.match(/^cff_[\w-]{43}$/)
    const forward = await portForward(env.cluster, {
      namespace,
      service: 'cloud-ffmpeg-api-server',
      ports: ':80',
    })
    try {
      const client = createClient({ url: forward.url, apiKey: firstKey })
      const record = await submitAndWait(client, runsFor(1))
      expect(record.status, record.error_message ?? '').to.equal('SUCCESS')
    } finally {
      await forward.close()
    }
  })

  it('the release is not changed by a second render, which kubectl diff shows and apply proves', async () => {
    const again = await rendered()
    // The diff ends with 1 where there is a difference.
    expect(await kubectl(env.cluster, ['diff', '-f', '-'], again)).to.equal('')
    const before = await generations(again)
    await apply(again)
    expect(before).to.match(/NetworkPolicy cloud-ffmpeg-runner 1\n/)
    expect(await generations(again)).to.equal(before)
  })

  it('the release has the same key after another render and a restart', async () => {
    await apply(await rendered())
    await within('rollout', 'restart', servers[0] ?? '')
    await within('rollout', 'status', servers[0] ?? '', kubectlTimeout)
    expect(await key()).to.equal(firstKey)
  })

  it('runs an applied manifest once, where an annotation keeps its object', async () => {
    const manifest = (name: string, annotations: object) => ({
      apiVersion: 'cloudffmpeg.dev/v1alpha1',
      kind: 'FfmpegCommand',
      metadata: { name, namespace, annotations },
      spec: {
        commands: ['-f lavfi -i testsrc2=duration=1 {{out_1}}'],
        inputFiles: {},
        outputFiles: { out_1: 'test.mp4' },
      },
    })
    const kept = manifest('kept', { [keep]: 'true' })
    const list = { apiVersion: 'v1', kind: 'List', items: [kept, manifest('swept', {})] }
    await apply(JSON.stringify(list))
    for (const name of ['kept', 'swept']) {
      await within('wait', '--for=condition=Finished', `ffc/${name}`, '--timeout=120s')
    }
    const uid = await within('get', 'ffc', 'kept', '-o', 'jsonpath={.metadata.uid}')
    const get = ['get', 'ffc', 'swept', '--ignore-not-found', '-o', 'name']
    await eventually('the other object is deleted', async () => (await within(...get)) === '')
    expect(await apply(JSON.stringify(kept))).to.match(/ unchanged\n$/)
    expect(await within('get', 'ffc', 'kept', '-o', 'jsonpath={.metadata.uid}')).to.equal(uid)
  })
})
