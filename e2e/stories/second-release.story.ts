import { expect } from 'chai'
import pg from 'pg'
import type { FfmpegCommand } from '../../common/kubernetes/resources/objects.ts'
import { runCommand } from '../cluster/host/run-command.ts'
import { createSecondRelease } from '../installation/second-release.ts'
import type { SecondRelease } from '../installation/second-release.ts'
import { releaseByHand } from '../../operator/uninstall/release-objects.ts'
import { environment } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { runsFor } from '../steps/submit-and-wait.ts'

const vcpus = 4
const waitsForCommands = 'cloudffmpeg.dev/standby=waiting'
const live = names('live', 20)
const recorded = names('recorded', 50)

describe('a second release in the same cluster', function () {
  this.timeout(240_000)
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

    await second.helm('rollback', 'cloud-ffmpeg', '--wait', '--timeout', '120s')
    await second.apply(command('healed', 1))
    expect(await endOf(second, 'healed')).to.equal('SUCCESS')
  })

  it('leaves nothing that keeps its namespace, with 20 live and 50 recorded commands and a waiting runner in it', async () => {
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

    const output = await second.helm('uninstall', 'cloud-ffmpeg', '--wait')
    expect(output).to.match(/took the finalizer cloudffmpeg\.dev\/record off 7\d objects/)
    const left = await second.kubectl('get', 'deployments,jobs,pods', '-o', 'name')
    expect(left).to.equal('')
    const begunMs = performance.now()
    await second.kubectl('delete', 'namespace', second.namespace, '--timeout=60s')
    expect((performance.now() - begunMs) / 1000).to.be.below(30)
    unfinished = await unfinishedRows(second)
    // On a busy machine those that ran may end before the uninstallation stops them.
    expect(unfinished).to.be.within(live.length - vcpus, live.length)
    expect(await rowsWith(second, 'SUCCESS')).to.be.at.least(live.length - unfinished)
  })

  it('goes on with what was live when it is installed again', async () => {
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

  it('can be released by hand where an uninstallation ran without its Job', async () => {
    await second.helm('uninstall', 'cloud-ffmpeg', '--no-hooks', '--wait')
    await second.kubectl('delete', 'namespace', second.namespace, '--wait=false')
    const stuck = await eventually('the namespace says what keeps it', async () => {
      const text = await second.kubectl('get', 'namespace', second.namespace, '-o', 'json')
      return /cloudffmpeg\.dev\/record in/.test(text) && text
    })
    expect(stuck).to.include('NamespaceFinalizersRemaining')
    const [line = ''] = releaseByHand(second.namespace).match(/^ +kubectl .*$/m) ?? []
    const withPath = line.replaceAll('kubectl', env.cluster.kubectl)
    await runCommand('/bin/sh', ['-c', withPath], { env: { KUBECONFIG: env.cluster.kubeconfig } })
    await second.kubectl('wait', '--for=delete', `namespace/${second.namespace}`, '--timeout=60s')
  })

  it('has no Event that no release watches it', async () => {
    const events = await env.kubectl(
      ...['get', 'events', '--all-namespaces', '--field-selector', 'reason=NotWatched'],
      ...['-o', 'jsonpath={.items[*].metadata.namespace}'],
    )
    expect(events.split(' ')).to.not.include(second.namespace)
  })
})

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
}

function command(name: string, seconds: number, output = '{{out_1}}'): object {
  return {
    apiVersion: 'cloudffmpeg.dev/v1alpha1',
    kind: 'FfmpegCommand',
    metadata: { name },
    spec: {
      commands: [runsFor(seconds).ffmpeg_command.replace('{{out_1}}', output)],
      inputFiles: {},
      outputFiles: { out_1: 'a.mp4' },
      vcpuCount: 1,
    },
  }
}

async function endOf(release: SecondRelease, name: string): Promise<string> {
  await release.kubectl('wait', '--for=condition=Finished', `ffc/${name}`, '--timeout=90s')
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
