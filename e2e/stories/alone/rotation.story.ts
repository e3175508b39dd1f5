import { expect } from 'chai'
import pg from 'pg'
import type { FfmpegCommand } from '../../../common/kubernetes/resources/objects.ts'
import { createSecondRelease } from '../../installation/second-release.ts'
import type { SecondRelease } from '../../installation/second-release.ts'
import type { Values } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually, kubectlTimeout } from '../../steps/eventually.ts'
import { runsFor, submitAndWait } from '../../steps/submit-and-wait.ts'
import { startTwoKeyS3 } from '../../steps/two-key-s3.ts'
import type { TwoKeyS3 } from '../../steps/two-key-s3.ts'
import { ffmpegCommand } from '../ffmpeg-command.fixture.ts'

/** The kubelet looks at changed Secrets each 60 to 90 s. */
const syncSeconds = 150
const servers =
  'app.kubernetes.io/name=cloud-ffmpeg,app.kubernetes.io/component in (api-server,operator)'

describe('a release with Secrets of its user beside another release', function () {
  this.timeout(900_000)
  const env = useEnvironment()
  let second: SecondRelease
  let s3: TwoKeyS3
  let admin: pg.Client
  before(async () => {
    s3 = await startTwoKeyS3(env.s3, env.cluster.hostAddress)
    second = await createSecondRelease(env, {
      database: { existingSecret: { name: 'my-database' } },
      storage: {
        endpoint: s3.endpoint,
        prefix: 'second/',
        existingSecret: { name: 'my-storage' },
      },
      runner: { warm: { max: 0 } },
    })
    admin = new pg.Client({ connectionString: second.databaseUrl })
    await admin.connect()
    await admin.query(`create role first_role login password 'one'`)
    await admin.query(`create role second_role login password 'two' in role first_role`)
    await admin.query(`grant all on schema public to first_role`)
    const { accessKeyId, secretAccessKey } = env.s3
    await env.kubectl('create', 'namespace', second.namespace)
    await writeSecrets({ accessKeyId, secretAccessKey }, urlOf('first_role', 'one'))
    await second.upgrade()
  })
  after(async () => {
    await second.helm('uninstall', 'cloud-ffmpeg', '--wait').catch(() => undefined)
    await second.kubectl('delete', 'namespace', second.namespace, kubectlTimeout)
    for (const role of ['second_role', 'first_role']) {
      await admin.query(`drop owned by ${role} cascade`)
      await admin.query(`drop role ${role}`)
    }
    await admin.end()
    s3.close()
  })

  it('runs commands beside the other release, each in its own namespace', async () => {
    await apply('beside', 1)
    const other = submitAndWait(env.client, runsFor(1))
    expect(await endOf('beside')).to.equal('SUCCESS')
    expect((await other).status).to.equal('SUCCESS')
    const jobs = await second.kubectl('get', 'jobs', '-o', 'jsonpath={.items[*].metadata.labels}')
    expect(jobs).to.include('"app.kubernetes.io/instance":"cloud-ffmpeg"')
  })

  it('takes another access key and another role of the database without a restart or a lost command', async () => {
    const pods = await serverPods()
    const before = await load('before', 4)
    await writeSecrets(s3.second, urlOf('second_role', 'two'))
    await eventually(
      'both servers have the new files, and the new key is used',
      async () => {
        await apply(`during-${performance.now().toFixed(0)}`, 1)
        const files = await Promise.all(['api-server', 'operator'].map(databaseFile))
        return (
          (s3.requests.get(s3.second.accessKeyId) ?? 0) > 5 &&
          files.every((url) => url.includes('second_role'))
        )
      },
      syncSeconds,
    )
    // Their URLs are of the old key.
    for (const name of before) expect(await endOf(name)).to.equal('SUCCESS')
    await endAll()
    s3.revoke(env.s3.accessKeyId)
    await admin.query('alter role first_role nologin')
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'first_role'`,
    )
    await eventually(
      'both servers use the new role',
      async () => (await programsOf('second_role')) === 2,
    )
    for (const name of await load('after', 4)) expect(await endOf(name)).to.equal('SUCCESS')
    const states = await statesOf()
    expect([...new Set(states.values())]).to.deep.equal(['SUCCESS'])
    expect(await serverPods()).to.deep.equal(pods)
    console.log(`      ${states.size} commands beside the rotation, 0 failures, 0 restarts`)
  })

  it('a release does not become ready on the database of another release, and its log names that one', async () => {
    const { database } = env.installed.values as { database: { url: string } }
    await writeSecrets(s3.second, database.url)
    await second.kubectl('rollout', 'restart', 'deployment', 'cloud-ffmpeg-operator')
    await eventually(
      'the new pod says whose the database is',
      async () => {
        const names = await second.kubectl('get', 'pods', '-l', servers, '-o', 'name')
        for (const pod of names.trim().split('\n')) {
          const log = await second.kubectl('logs', pod, '--tail=200')
          if (
            log.includes(`belongs to the installation '${env.installed.namespace}/cloud-ffmpeg'`)
          ) {
            return pod
          }
        }
        return false
      },
      syncSeconds,
    )
    const own = await submitAndWait(env.client, runsFor(1))
    expect(own.status).to.equal('SUCCESS')
    await writeSecrets(s3.second, urlOf('second_role', 'two'))
  })

  it('leaves the other release alone when it is uninstalled', async () => {
    const running = submitAndWait(env.client, runsFor(10))
    await second.helm('uninstall', 'cloud-ffmpeg', '--wait')
    const record = await running
    expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    expect(await second.kubectl('get', 'deployments,jobs', '-o', 'name')).to.equal('')
  })

  function urlOf(user: string, password: string): string {
    const url = new URL(second.databaseUrl)
    url.username = user
    url.password = password
    return url.href
  }

  async function writeSecrets(key: Values, url: string): Promise<void> {
    const secret = (name: string, stringData: Values) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      stringData,
    })
    await second.apply(secret('my-storage', key), secret('my-database', { url }))
  }

  async function load(prefix: string, count: number): Promise<string[]> {
    const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
    for (const name of names) await apply(name, 5)
    return names
  }

  function apply(name: string, seconds: number): Promise<string> {
    return second.apply(
      ffmpegCommand(name, {
        commands: [runsFor(seconds).ffmpeg_command],
        outputFiles: { out_1: 'a.mp4' },
      }),
    )
  }

  async function endOf(name: string): Promise<string> {
    await second.kubectl('wait', '--for=condition=Finished', `ffc/${name}`, kubectlTimeout)
    return (await statesOf()).get(name) ?? 'absent'
  }

  async function endAll(): Promise<void> {
    await second.kubectl('wait', '--for=condition=Finished', 'ffc', '--all', kubectlTimeout)
  }

  async function statesOf(): Promise<Map<string, string>> {
    const text = await second.kubectl('get', 'ffc', '-o', 'json')
    const { items } = JSON.parse(text) as { items: FfmpegCommand[] }
    return new Map(
      items.map(({ metadata, status = {} }) => {
        const { state = 'none', errorStatus = '' } = status
        return [metadata.name, `${state} ${errorStatus}`.trim()]
      }),
    )
  }

  function databaseFile(component: string): Promise<string> {
    const read = `console.log(require('fs').readFileSync('/etc/cloud-ffmpeg/database/url', 'utf8'))`
    return second.kubectl(
      'exec',
      `deploy/cloud-ffmpeg-${component}`,
      '--',
      '/usr/local/bin/node',
      '-e',
      read,
    )
  }

  /** Servers with a connection of the role. */
  async function programsOf(role: string): Promise<number> {
    const { rows } = await admin.query<{ count: number }>(
      `select count(distinct application_name)::int as count from pg_stat_activity
       where usename = $1 and datname = current_database()`,
      [role],
    )
    return rows[0]?.count ?? 0
  }

  /** Their names, and how often each has begun. */
  async function serverPods(): Promise<string[]> {
    const text = await second.kubectl(
      'get',
      'pods',
      '-l',
      servers,
      '--field-selector',
      'status.phase=Running',

      '-o',
      'jsonpath={range .items[*]}{.metadata.uid}/{.status.containerStatuses[0].restartCount} {end}',
    )
    return text.trim().split(' ').toSorted()
  }
})
