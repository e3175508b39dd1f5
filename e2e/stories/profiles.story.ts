import { expect } from 'chai'
import type { V1DaemonSet, V1Job, V1Node, V1Pod } from '@kubernetes/client-node'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { pauseImage, pauseImageName } from '../../local-cluster/images/pause-image.ts'
import { ensureNamespace, kubectl } from '../installation/install.ts'
import { createSecondRelease } from '../installation/second-release.ts'
import type { SecondRelease } from '../installation/second-release.ts'
import { useEnvironment } from '../steps/environment.ts'
import { eventually, kubectlTimeout } from '../steps/eventually.ts'
import { admin } from '../steps/new-account.ts'
import { runsFor } from '../steps/submit-and-wait.ts'
import { arch, credentialsOf, device, profileValues, toleration } from './profiles.fixture.ts'
import { ffmpegCommand } from './ffmpeg-command.fixture.ts'

const namespace = 'profiles'
describe('a release with profiles, images on its nodes, and credentials that the SDK of AWS finds', function () {
  this.timeout(300_000)
  const env = useEnvironment()
  let release: SecondRelease
  let node: string
  const adminOf = (...args: string[]) =>
    admin({ ...env, kubectl: (...more) => release.kubectl(...more) }, ...args)
  const inCluster = (...args: string[]) => kubectl(env.cluster, args)

  before(async () => {
    const [first] = await listed<V1Node>('nodes')
    node = first?.metadata?.name ?? ''
    await patchNode('add')
    const archive = await pauseImage({
      settings: clusterSettings(process.env),
      say: (text) => console.log(`  [profiles] ${text}`),
    })
    await env.cluster.loadImage(archive, pauseImageName)
    await ensureNamespace(env.cluster, namespace)
    release = await createSecondRelease(env, profileValues, namespace)
    await release.apply(credentialsOf(env.s3))
    await release.upgrade()
    for (const plan of ['small', 'patient']) {
      await adminOf('accounts', 'create', plan, '--plan', plan)
    }
  })
  after(async () => {
    await release.helm('uninstall', 'cloud-ffmpeg', '--wait').catch(() => undefined)
    await inCluster('delete', 'namespace', namespace, '--ignore-not-found', kubectlTimeout)
    await patchNode('remove')
  })

  async function listed<T>(...args: string[]): Promise<readonly T[]> {
    return (JSON.parse(await inCluster('get', ...args, '-o', 'json')) as { items: T[] }).items
  }

  /** The kubelet keeps what it finds here, as what a device plugin has announced. */
  function patchNode(op: 'add' | 'remove'): Promise<string> {
    const patch = ['capacity', 'allocatable'].map((field) => ({
      op,
      path: `/status/${field}/${device.replace('/', '~1')}`,
      ...(op === 'add' ? { value: '1' } : {}),
    }))
    return inCluster(
      'patch',
      'node',
      node,
      '--subresource=status',
      '--type=json',
      '--patch',
      JSON.stringify(patch),
    )
  }

  async function jobOf(profile: string): Promise<V1Job> {
    const label = `cloudffmpeg.dev/profile=${profile}`
    const jobs = await listed<V1Job>('jobs', '-n', namespace, '-l', label)
    expect(jobs).to.have.length(1)
    return jobs[0] ?? {}
  }

  it('runs the commands of two plans, each by the profile of its plan, and stores what they make', async () => {
    await release.apply(command('by-large', 'small'), command('by-device', 'patient'))
    for (const name of ['by-large', 'by-device']) {
      await release.kubectl('wait', '--for=condition=Finished', `ffc/${name}`, kubectlTimeout)
      const state = await release.kubectl('get', 'ffc', name, '-o', 'jsonpath={.status.state}')
      expect(state, name).to.equal('SUCCESS')
    }

    const large = (await jobOf('large')).spec?.template.spec
    const on = { key: 'kubernetes.io/arch', operator: 'In', values: [arch] }
    expect(large?.affinity?.nodeAffinity).to.deep.equal({
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [on] }],
      },
    })
    expect(large?.nodeSelector).to.deep.equal({ 'kubernetes.io/os': 'linux' })
    expect(large?.tolerations).to.deep.include(toleration)
    expect(sizeOf(large)).to.deep.equal({ memory: '1536Mi', scratch: '2Gi', device: undefined })

    const other = (await jobOf('device')).spec?.template.spec
    expect(other?.affinity).to.equal(undefined)
    expect(other?.tolerations).to.not.deep.include(toleration)
    expect(sizeOf(other)).to.deep.equal({ memory: '1Gi', scratch: '500Mi', device: '1' })
  })

  it('loses six pods of a command to evictions, and starts the next by a profile without spot', async () => {
    await release.apply(command('evicted', 'default', runsFor(300).ffmpeg_command))
    const evicted: string[] = []
    while (evicted.length < 6) {
      const pod = await podOf('spot', evicted)
      await evict(pod)
      evicted.push(pod)
    }
    expect(await podOf('large', evicted)).to.match(/-7-\w+$/)
    const events = ['get', 'events', '--field-selector', 'reason=RunnerLost']
    expect(await release.kubectl(...events)).to.include('Attempt lost (SpotDisrupted)')
    await release.kubectl('delete', 'ffc', 'evicted')
  })

  function evict(pod: string): Promise<string> {
    const metadata = { name: pod, namespace }
    return kubectl(
      env.cluster,
      ['create', '--raw', `/api/v1/namespaces/${namespace}/pods/${pod}/eviction`, '-f', '-'],
      JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata }),
    )
  }

  /** One that runs and is none of the given. */
  function podOf(profile: string, but: readonly string[]): Promise<string> {
    return eventually(`a pod of ${profile} runs`, async () => {
      const label = `cloudffmpeg.dev/profile=${profile}`
      const pods = await listed<V1Pod>('pods', '-n', namespace, '-l', label)
      return pods.find(
        ({ metadata, status }) =>
          status?.phase === 'Running' && !but.includes(metadata?.name ?? ''),
      )?.metadata?.name
    })
  }

  it('the release has the credentials in a file alone, and both servers use the bucket by them', async () => {
    const ofChart = ['get', 'secrets', '-l', 'app.kubernetes.io/managed-by=Helm', '-o', 'json']
    const secrets = await release.kubectl(...ofChart)
    expect(secrets).to.include('cloud-ffmpeg-database')
    expect(secrets).to.not.include(Buffer.from(env.s3.secretAccessKey).toString('base64'))
    expect(await adminOf('storage', 'prepare')).to.include(`${env.installed.bucket}-${namespace}`)
  })

  it('the release has the image of runners on each node that a profile names, and on no other', async () => {
    const sets = await eventually('the image is on the nodes', async () => {
      const found = await listed<V1DaemonSet>('daemonsets', '-n', namespace)
      const isReady = ({ status }: V1DaemonSet) =>
        status?.numberReady === status?.desiredNumberScheduled
      return found.length === 5 && found.every(isReady) && found
    })
    const desired = sets.map(({ metadata, status }) => [
      metadata?.name?.replace('cloud-ffmpeg-pre-pull', ''),
      status?.desiredNumberScheduled,
    ])
    const nodes = (await listed<V1Node>('nodes')).length
    expect(desired).to.have.deep.members([
      ['', nodes],
      ['-large', nodes],
      ['-device', nodes],
      ['-spot', nodes],
      ['-elsewhere', 0],
    ])
    const [first] = await listed<V1Node>('nodes')
    const images = first?.status?.images?.flatMap(({ names }) => names ?? [])
    const [runner] = sets[0]?.spec?.template.spec?.initContainers ?? []
    expect(images).to.include(runner?.image)
  })
})

function command(
  name: string,
  account: string,
  ffmpeg = '-f lavfi -i color=size=64x64 -frames:v 1 {{out_1}}',
): object {
  return ffmpegCommand(name, {
    account,
    commands: [ffmpeg],
    outputFiles: { out_1: 'tiny.mp4' },
  })
}

function sizeOf(spec: NonNullable<V1Job['spec']>['template']['spec']) {
  const limits = spec?.containers.find(({ name }) => name === 'ffmpeg')?.resources?.limits
  const volume = spec?.volumes?.find(({ name }) => name === 'scratch')
  return {
    memory: limits?.['memory'],
    scratch: volume?.emptyDir?.sizeLimit,
    device: limits?.[device],
  }
}
