import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { noticesForeign } from '../../operator/configuration.ts'
import { CommandFailed } from '../../local-cluster/host/run-command.ts'
import {
  apiServerSettingsIn,
  chart,
  deployment,
  operatorSettingsIn,
  template,
  useChart,
} from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

describe('the chart', function () {
  this.timeout(900_000)
  const { lint, render } = useChart()

  for (const values of valuesFiles()) {
    it(`passes helm's own strict lint with ${values} values`, async () => {
      await lint(values)
    })

    it(`gives both servers settings that they accept, and the others in no variable, with ${values} values`, async () => {
      const objects = await render(values)
      for (const [component, { release }] of [
        ['api-server', apiServerSettingsIn(objects)],
        ['operator', operatorSettingsIn(objects)],
      ] as const) {
        expect(release).to.deep.include({ name: 'media', namespace: 'media' })
        const [container] = deployment(objects, component).containers
        const given = container?.env.map(({ name }) => name) ?? []
        expect(given).to.include('CLOUD_FFMPEG_CONFIG')
        expect(
          given.filter((name) => name.startsWith('CLOUD_FFMPEG_') && !variable.test(name)),
        ).to.deep.equal([])
        expect(container?.volumeMounts).to.deep.include({
          name: 'config',
          mountPath: '/etc/cloud-ffmpeg/config',
          readOnly: true,
        })
      }
    })
  }

  it('makes every pod satisfy the restricted Pod Security Standard, on a read-only root', async () => {
    const objects = await render('minimal', '--set', 'storage.cors.apply=true')
    const pods = objects
      .filter(({ kind }) => ['Deployment', 'Pod', 'Job'].includes(kind))
      .map(({ spec }) => spec.template?.spec ?? spec)
    expect(pods).to.have.length(5)
    for (const pod of pods) {
      expect(pod.securityContext).to.deep.include({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      for (const { securityContext } of pod.containers) {
        expect(securityContext).to.deep.equal({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
    }
  })

  it('names the gateway to runners beside it so that the first lookup finds it', async () => {
    const { gateway } = operatorSettingsIn(await render('minimal'))
    expect(gateway.url).to.equal('http://media-gateway:8090')
  })

  it('puts what belongs to commands where they run', async () => {
    const objects = await render('secrets-of-your-own')
    const account = objects.find(({ metadata }) => metadata.name === 'media-runner')
    expect(account?.metadata.namespace).to.equal('media-jobs')
    const { gateway, runner } = operatorSettingsIn(objects)
    expect(runner.namespace).to.equal('media-jobs')
    expect(gateway.url).to.equal('http://media-gateway.media.svc:8090')
    expect(runner.image).to.match(/^registry\.example\.com\/media\/cloud-ffmpeg\/runner:/)
    expect(objects.filter(({ kind }) => kind === 'Secret')).to.deep.equal([])
  })

  it('gives the operator its budget of requests to the Kubernetes API, and refuses one below 10', async () => {
    const rate = 'operator.kubeApi.requestsPerSecond'
    const { operator } = operatorSettingsIn(await render('minimal', '--set', `${rate}=300`))
    expect(operator.kubeApi).to.deep.equal({ requestsPerSecond: 300, burst: 200 })
    const error: unknown = await render('minimal', '--set', `${rate}=5`).catch(
      (thrown: unknown) => thrown,
    )
    expect(String(error)).to.match(/requestsPerSecond/)
  })

  it('leaves the bucket as it is unless storage.cors.apply is set', async () => {
    const objects = await render('minimal')
    expect(objects.filter(({ metadata }) => /storage-cors/.test(metadata.name))).to.deep.equal([])
  })

  it('writes the rule for the named origins by a Job without rights in the cluster', async () => {
    const objects = await render('secrets-of-your-own')
    const own = objects.filter(({ metadata }) => metadata.name === 'media-storage-cors')
    expect(own.map(({ kind }) => kind)).to.have.members(['ServiceAccount', 'Job', 'NetworkPolicy'])
    const pod = own.find(({ kind }) => kind === 'Job')?.spec.template?.spec
    expect(pod).to.include({
      serviceAccountName: 'media-storage-cors',
      automountServiceAccountToken: false,
    })
    const [container] = pod?.containers ?? []
    expect(container?.args).to.deep.equal([
      'admin',
      'storage',
      'cors',
      '--origin=https://app.example',
      '--origin=https://*.example.com',
    ])
    expect(container?.env.map(({ name }) => name)).to.include('CLOUD_FFMPEG_CONFIG')
    expect(pod?.volumes).to.deep.include({
      name: 'config',
      configMap: { name: 'media-api-server' },
    })
    const bound = objects.filter(({ kind }) => kind.endsWith('Binding')).flatMap(subjects)
    expect(bound).not.to.include('media-storage-cors')
  })

  for (const origin of ['https://app.example/', 'app.example', 'https://a.example b']) {
    it(`refuses '${origin}' among storage.cors.origins`, async () => {
      const error = await render('minimal', '--set', `storage.cors.origins={${origin}}`).catch(
        (thrown: unknown) => thrown,
      )
      expect(String(error)).to.match(/storage.*cors.*origins/s)
    })
  }

  it('explains how to build the images when no registry is set', async () => {
    const error = await render('minimal', '--set', 'image.registry=').catch(
      (thrown: unknown) => thrown,
    )
    expect(error).to.be.instanceOf(CommandFailed)
    expect(String(error)).to.match(/npm run images -- --registry REGISTRY --push/)
  })

  const needed = [
    ['accounts.publicUrl=', /accounts\.publicUrl is needed where accounts\.registration is on/],
    ['smtp.host=', /smtp\.host is needed where accounts\.registration is on/],
    ['smtp.from=', /smtp\.from is needed where accounts\.registration is on/],
  ] as const
  const electionValues = [
    ['operator.stopSeconds=15', /operator\.stopSeconds 15 must be below operator\.leaseSeconds 15/],
    [
      'operator.renewSeconds=6',
      /operator\.renewSeconds 6 must be at most half of operator\.stopSeconds 10/,
    ],
  ] as const
  for (const [value, message] of electionValues) {
    it(`rejects durations of the Lease that do not fit together: ${value}`, async () => {
      const error = await render('minimal', '--set', value).catch((thrown: unknown) => thrown)
      expect(String(error)).to.match(message)
    })
  }

  for (const [value, message] of needed) {
    it(`the chart does not turn registration on with ${value}`, async () => {
      const error = await render('registration', '--set', value).catch((thrown: unknown) => thrown)
      expect(String(error)).to.match(message)
    })
  }

  it('replaces the pods of the server that reads a changed setting, and no others', async () => {
    const checksums = async (...more: string[]) => {
      const objects = await render('minimal', ...more)
      return ['api-server', 'operator'].map(
        (component) => template(objects, component).metadata.annotations?.['checksum/config'],
      )
    }
    const [apiServer, operator] = await checksums()
    const [sameServer, otherOperator] = await checksums('--set', 'operator.attempts=4')
    expect(sameServer).to.equal(apiServer)
    expect(otherOperator).to.not.equal(operator)
    const both = await checksums('--set', 'logLevel=debug')
    expect(both).to.not.include.oneOf([apiServer, operator])
  })

  describe('a changed Secret', () => {
    const checksums = async (values: string, ...more: string[]) => {
      const objects = await render(values, ...more)
      const of = (component: string) =>
        template(objects, component).metadata.annotations?.['checksum/secrets']
      return { apiServer: of('api-server'), operator: of('operator') }
    }

    it('changes the pods that read it, of database and storage both, of mail the API server alone', async () => {
      const before = await checksums('registration')
      for (const value of [
        'database.url=postgres://user:other@postgres:5432/cloud_ffmpeg',
        'storage.accessKeyId=other',
        'storage.secretAccessKey=other',
      ]) {
        const after = await checksums('registration', '--set', value)
        expect(after.apiServer, value).to.not.equal(before.apiServer)
        expect(after.operator, value).to.not.equal(before.operator)
      }
      const mail = await checksums('registration', '--set', 'smtp.password=other')
      expect(mail.apiServer).to.not.equal(before.apiServer)
      expect(mail.operator).to.equal(before.operator)
    })

    it('changes no pod where nothing is changed', async () => {
      expect(await checksums('minimal')).to.deep.equal(await checksums('minimal'))
    })

    it('a changed Secret is not known to the chart where it names a Secret of the user', async () => {
      const other = await checksums('secrets-of-your-own', '--set', 'database.url=postgres://other')
      expect(other).to.deep.equal(await checksums('secrets-of-your-own'))
    })
  })

  it('runs a Job before an uninstallation, with rights that exist for as long as it runs', async () => {
    const objects = await render('secrets-of-your-own', '--set', 'uninstall.cleanup.enabled=true')
    const hooks = objects.filter(
      ({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-delete',
    )
    expect(
      hooks.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? 'media'}`),
    ).to.have.members([
      'ServiceAccount media',
      'Role media',
      'RoleBinding media',
      'Role media-jobs',
      'RoleBinding media-jobs',
      'NetworkPolicy media',
      'Job media',
    ])
    for (const { metadata } of hooks) {
      expect(metadata.annotations?.['helm.sh/hook-delete-policy']).to.equal(
        'before-hook-creation,hook-succeeded',
      )
    }
    const verbs = hooks
      .flatMap(({ rules = [] }) => rules)
      .flatMap((rule) => (rule.resources ?? []).map((name) => `${name}: ${rule.verbs.join()}`))
    expect(verbs).to.have.members([
      'deployments/scale: patch',
      'pods: list',
      'pods: list',
      'jobs: list,delete',
      'ffmpegcommands: list,patch',
      'storedfiles: list,patch',
    ])
    const job = hooks.find(({ kind }) => kind === 'Job')?.spec.template?.spec.containers[0]
    expect(job?.args).to.deep.equal([
      '--namespace=media-jobs',
      '--deployment=media/media-api-server',
      '--deployment=media/media-operator',
    ])
  })

  it('the chart has nothing for an uninstallation where that is turned off', async () => {
    const objects = await render('secrets-of-your-own')
    const names = objects.map(({ metadata }) => metadata.name)
    expect(names.filter((name) => name.startsWith('media-uninstall'))).to.deep.equal([])
  })

  it('lets the operator list in all namespaces only where it reports objects there that no release watches', async () => {
    const names = (objects: readonly Rendered[]) =>
      objects.filter(({ kind }) => kind === 'ClusterRole').map(({ metadata }) => metadata.name)
    expect(names(await render('minimal'))).to.include('media-media-operator-notice-foreign')
    const without = await render('secrets-of-your-own')
    expect(names(without)).to.not.include('media-media-operator-notice-foreign')
    expect(noticesForeign(operatorSettingsIn(without))).to.equal(false)
  })

  it('refuses a value that it does not know', async () => {
    const error = await render('minimal', '--set', 'operator.replica=3').catch(
      (thrown: unknown) => thrown,
    )
    expect(String(error)).to.match(/replica/)
  })
})

/** The values of ci/NAME-values.yaml, by name. */
function valuesFiles(): string[] {
  return readdirSync(path.join(chart, 'ci')).map((file) => file.replace('-values.yaml', ''))
}

/** Facts that Kubernetes alone knows, secrets, and paths of files. */
const variable = /_(CONFIG|FILE|FOLDER|POD_(NAME|UID|IP)|SMTP_(USER|PASSWORD)|BOOTSTRAP_API_KEY)$/

function subjects({ subjects: named = [] }: Rendered): string[] {
  return named.map(({ name }) => name)
}
