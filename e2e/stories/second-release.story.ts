import { expect } from 'chai'
import pg from 'pg'
import type { FfmpegCommand } from '../../common/kubernetes/resources/objects.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { ensureNamespace } from '../installation/install.ts'
import { createSecondRelease } from '../installation/second-release.ts'
import type { SecondRelease } from '../installation/second-release.ts'
import { releaseByHand } from '../../operator/uninstall/release-objects.ts'
import { environment } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { eventually, kubectlTimeout } from '../steps/eventually.ts'
import { runsFor } from '../steps/submit-and-wait.ts'
import { ffmpegCommand } from './ffmpeg-command.fixture.ts'

const vcpus = 4
const waitsForCommands = 'cloudffmpeg.dev/standby=waiting'
/** Another namespace that the release watches. */
const team = 'second-team'
const live = names('live', 20)
const recorded = names('recorded', 50)

describe('a second release in the same cluster', () => {
  let env: Environment
  let second: SecondRelease
  /** Commands that had not ended when the release was uninstalled. */
  let unfinished = 0
  before(async function () {
    env = await environment(this)
    second = await createSecondRelease(env, {
      plans: { unlimited: { vcpuTotal: vcpus } },
      operator: { keepFinishedSeconds: 3_600, keepFinished: 500 },
      runner: { warm: { min: 1, max: 1 } },
    })
    await second.upgrade()
  })

  it('fails commands with a wrong storage key, and heals by helm rollback', async () => {
    await second.apply(command('healthy', 1))
    expect(await endOf(second, 'healthy')).to.equal('SUCCESS')

    await second.upgrade({ storage: { secretAccessKey: 'wrong' } })
    await second.apply(command('with-wrong-key', 1))
    expect(await endOf(second, 'with-wrong-key')).to.equal('FAILED STORAGE_ERROR')

    await second.helm('rollback', 'cloud-ffmpeg', '--wait', kubectlTimeout)
    await second.apply(command('healed', 1))
    expect(await endOf(second, 'healed')).to.equal('SUCCESS')
  })

  it('lets users of its namespace name the accounts of its policy alone', async () => {
    const bindings = [{ namespace: second.namespace, accounts: ['default', 'video-team'] }]
    await second.upgrade({ accountPolicy: { bindings } })
    expect(await refusalByPolicy(second, 'other')).to.include(
      "spec.account 'other' is not allowed in namespace second: use one of default,video-team",
    )
    await second.apply(command('own', 1))
    expect(await endOf(second, 'own')).to.equal('SUCCESS')
  })

  it('runs what is applied in another namespace that it watches by Jobs there, for its accounts alone', async () => {
    const inTeam = (...args: string[]) => env.kubectl('-n', team, ...args)
    await ensureNamespace(env.cluster, team)
    await second.upgrade({
      operator: { watchNamespaces: [team] },
      accountPolicy: { bindings: [{ namespace: team, accounts: ['default'] }] },
    })
    await second.applyTo(team, command('there', 1))
    await inTeam('wait', '--for=condition=Finished', 'ffc/there', kubectlTimeout)
    expect(await inTeam('get', 'ffc', 'there', '-o', 'jsonpath={.status.state}')).to.equal(
      'SUCCESS',
    )
    const owners = ['-o', 'jsonpath={.items[*].metadata.ownerReferences[*].name}']
    expect(await inTeam('get', 'jobs', ...owners)).to.equal('there')
    const refused = second.applyTo(team, command('foreign', 1, '{{out_1}}', 'other'))
    expect(await refused.catch(String)).to.include(
      "'other' is not allowed in namespace second-team",
    )
  })

  it('lets such a namespace go with a command that runs in it, and goes on without it', async () => {
    await second.applyTo(team, command('cut-off', 60))
    await eventually('it runs', async () => {
      const state = ['get', 'ffc', 'cut-off', '-o', 'jsonpath={.status.state}']
      return (await env.kubectl('-n', team, ...state)) === 'PROCESSING'
    })
    await env.kubectl('delete', 'namespace', team, kubectlTimeout)
    await second.apply(command('after', 1))
    expect(await endOf(second, 'after')).to.equal('SUCCESS')
    // A new operator starts and leads, too.
    await second.kubectl('rollout', 'restart', 'deploy/cloud-ffmpeg-operator')
    await second.kubectl('rollout', 'status', 'deploy/cloud-ffmpeg-operator', kubectlTimeout)
    await second.apply(command('after-restart', 1))
    expect(await endOf(second, 'after-restart')).to.equal('SUCCESS')
    await eventually('all vCPUs are given back', async () => {
      const open = await countRows(second, 'finished_at is null or released_at is null')
      return open === 0
    })
    await ensureNamespace(env.cluster, team)
    await second.upgrade({
      operator: { watchNamespaces: [team] },
      accountPolicy: { bindings: [{ namespace: second.namespace, accounts: ['default'] }] },
    })
  })

  it('leaves nothing that keeps its namespace, with 20 live and 50 recorded commands of an account that is not bound, and a waiting runner', async () => {
    await second.apply(
      ...live.map((name) => command(name, 15)),
      ...recorded.map((name) => command(name, 1, '{{in_9}}')),
    )
    await eventually('all are recorded, or run, or wait', async () => {
      const states = await statesOf(second)
      const count = (names_: readonly string[], pattern: RegExp): number =>
        names_.filter((name) => pattern.test(states.get(name) ?? '')).length
      const isReady =
        count(recorded, /^FAILED/) === recorded.length &&
        count(live, /PROCESSING/) === vcpus &&
        count(live, /QUEUED/) === live.length - vcpus
      const waiting = await second.kubectl('get', 'jobs', '-l', waitsForCommands, '-o', 'name')
      return isReady && waiting !== '' && 'ready'
    })
    // The ConfigMap is patched, because helm upgrade takes longer than the first commands. Now all objects are of an account that is not bound.
    const other = ['--type=merge', '-p', '{"data":{"accounts":"video-team"}}']
    await second.kubectl('patch', 'configmap', 'cloud-ffmpeg-accounts-second', ...other)
    expect(await refusalByPolicy(second, 'default')).to.include('use one of video-team')

    const output = await second.helm('uninstall', 'cloud-ffmpeg', '--wait')
    expect(output).to.match(/took the finalizer cloudffmpeg\.dev\/record off 7\d objects/)
    const left = await second.kubectl('get', 'deployments,jobs,pods', '-o', 'name')
    expect(left).to.equal('')
    expect(await env.kubectl('-n', team, 'get', 'jobs,pods', '-o', 'name')).to.equal('')
    await env.kubectl('delete', 'namespace', team, kubectlTimeout)
    // A finalizer that stays makes kubectl time out.
    await second.kubectl('delete', 'namespace', second.namespace, kubectlTimeout)
    unfinished = await unfinishedRows(second)
    // On a busy machine those that ran may end before the uninstallation stops them.
    expect(unfinished).to.be.within(live.length - vcpus, live.length)
    expect(await rowsWith(second, 'SUCCESS')).to.be.at.least(live.length - unfinished)
  })

  it('the release goes on with what was live when it is installed again', async () => {
    await second.upgrade()
    await eventually('every live command has a custom resource again', async () => {
      const states = await statesOf(second)
      return states.size === unfinished && 'all'
    })
    await eventually('the first of them have ended', async () => {
      const ends = [...(await statesOf(second)).values()]
      expect(ends.filter((state) => state.startsWith('FAILED'))).to.deep.equal([])
      return ends.filter((state) => state === 'SUCCESS').length >= vcpus && 'ended'
    })
  })

  it('releases the objects of a release by hand where its uninstallation ran without its Job', async () => {
    await second.helm('uninstall', 'cloud-ffmpeg', '--no-hooks', '--wait')
    await second.kubectl('delete', 'namespace', second.namespace, '--wait=false')
    const stuck = await eventually('the namespace says what keeps it', async () => {
      const text = await second.kubectl('get', 'namespace', second.namespace, '-o', 'json')
      return /cloudffmpeg\.dev\/record in/.test(text) && text
    })
    expect(stuck).to.include('NamespaceFinalizersRemaining')
    const [line = ''] = releaseByHand([second.namespace]).match(/^ +kubectl .*$/m) ?? []
    const withPath = line.replaceAll('kubectl', env.cluster.kubectl)
    await runCommand('/bin/sh', ['-c', withPath], { env: { KUBECONFIG: env.cluster.kubeconfig } })
    await second.kubectl('wait', '--for=delete', `namespace/${second.namespace}`, kubectlTimeout)
  })

  it('the second release has no Event that no release watches it', async () => {
    const events = await env.kubectl(
      'get',
      'events',
      '--all-namespaces',
      '--field-selector',
      'reason=NotWatched',
      '-o',
      'jsonpath={.items[*].metadata.namespace}',
    )
    expect(events.split(' ')).to.not.include(second.namespace)
  })
})

/** Refusal of the policy once it is in force in the API server. */
function refusalByPolicy(release: SecondRelease, account: string): Promise<string> {
  return eventually(`the policy refuses account ${account}`, () =>
    release
      .apply(command('foreign', 1, '{{out_1}}', account))
      .then(() => release.kubectl('delete', 'ffc', 'foreign').then(() => false as const), String),
  )
}

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
}

function command(name: string, seconds: number, output = '{{out_1}}', account = 'default'): object {
  return ffmpegCommand(name, {
    account,
    commands: [runsFor(seconds).ffmpeg_command.replace('{{out_1}}', output)],
    outputFiles: { out_1: 'a.mp4' },
  })
}

async function endOf(release: SecondRelease, name: string): Promise<string> {
  await release.kubectl('wait', '--for=condition=Finished', `ffc/${name}`, kubectlTimeout)
  return (await statesOf(release)).get(name) ?? 'absent'
}

/** Name to state, with the kind of failure. */
async function statesOf(release: SecondRelease): Promise<Map<string, string>> {
  const text = await release.kubectl('get', 'ffc', '-o', 'json')
  const { items } = JSON.parse(text) as { items: FfmpegCommand[] }
  return new Map(
    items.map(({ metadata, status = {} }) => {
      const { state = 'none', errorStatus = '' } = status
      return [metadata.name, `${state} ${errorStatus}`.trim()]
    }),
  )
}

function unfinishedRows(release: SecondRelease): Promise<number> {
  return countRows(release, 'finished_at is null')
}

function rowsWith(release: SecondRelease, status: string): Promise<number> {
  return countRows(release, `status = '${status}'`)
}

async function countRows({ databaseUrl }: SecondRelease, condition: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const text = `select count(*)::int as count from commands where ${condition}`
    const { rows } = await client.query<{ count: number }>(text)
    return rows[0]?.count ?? -1
  } finally {
    await client.end()
  }
}
