import { expect } from 'chai'
import { runCommand } from '../../../local-cluster/host/run-command.ts'
import { takeBaseBackup } from '../../../local-cluster/servers/base-backup.ts'
import { helmUpgrade, merge, untilReachable } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually, kubectlTimeout } from '../../steps/eventually.ts'
import { newAccount } from '../../steps/new-account.ts'
import { storedObjects } from '../../steps/stored-outputs.ts'
import {
  refused,
  runsFor,
  submitAndWait,
  untilEnd,
  untilFfmpegRuns,
} from '../../steps/submit-and-wait.ts'
import { testPool } from '../../../testing/support/database.ts'
import type { BaseBackup } from '../../../local-cluster/servers/base-backup.ts'
import type { CommandStatusRecord } from '../../../cli/client/client.ts'
import type { Database } from '../../../common/database/connection/query.ts'
import type { NewAccount } from '../../steps/new-account.ts'

interface Check {
  readonly differences: readonly unknown[]
  readonly restore: {
    readonly lost: readonly { readonly file_id: string; readonly account: string }[]
    readonly orphans: { readonly owners: number; readonly new_objects: number }
  }
}

describe('a database that is restored to a time before the last commands', function () {
  this.timeout(900_000)
  const env = useEnvironment()
  let database: Database
  let account: NewAccount
  let backup: BaseBackup
  let early: CommandStatusRecord[]
  let running: CommandStatusRecord
  let late: CommandStatusRecord
  let forgotten: CommandStatusRecord
  let deleted: CommandStatusRecord

  before(async () => {
    const { namespace, values } = env.installed
    database = testPool((values['database'] as { url: string }).url)
    // Custom resources of ended commands stay for as long as this story takes.
    const operator = { keepFinishedSeconds: 900 }
    await helmUpgrade(env.cluster, namespace, merge(values, { operator }))
    backup = await takeBaseBackup(env.postgres)
    await untilReachable(env.cluster)
    account = await newAccount(env, 'unlimited')
  })
  after(async () => {
    await scale(1)
    await backup.remove()
    await database.close()
    await helmUpgrade(env.cluster, env.installed.namespace, env.installed.values)
  })

  it('runs commands before and after that time', async () => {
    const { client } = account
    early = await Promise.all([1, 2, 3].map(() => submitAndWait(client, runsFor(1))))
    deleted = await submitAndWait(client, runsFor(1))
    const { command_id: id } = await client.submit(runsFor(10))
    await untilFfmpegRuns(client, id)
    await backup.mark('story')
    running = await untilEnd(client, id)
    late = await submitAndWait(client, runsFor(1))
    forgotten = await submitAndWait(client, runsFor(1))
    await client.deleteFile(fileOf(deleted).file_id)
    await eventually('the object of the deleted file is gone', async () => {
      return (await outputsOf(deleted)).length === 0
    })
    for (const record of [...early, running, late, forgotten]) {
      expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
      await eventually('its custom resource shows the end', async () => {
        const state = ['-o', 'jsonpath={.status.state}']
        return (await env.kubectl('get', 'ffc', resourceOf(record), ...state)) === 'SUCCESS'
      })
    }
  })

  it('a restored database has the earlier commands, and the later ones with custom resources', async () => {
    await scale(0)
    await backup.restoreTo('story')
    expect(await unfinished()).to.deep.equal([running.command_id])
    // A restored cluster does the same, or one where their time has passed.
    const finalizers = JSON.stringify({ metadata: { finalizers: null } })
    await env.kubectl('patch', 'ffc', resourceOf(forgotten), '--type=merge', '-p', finalizers)
    await env.kubectl('delete', 'ffc', resourceOf(forgotten))
    await scale(1)
    for (const record of [...early, running, late]) {
      const url = fileOf(record).storage_url
      const restored = await eventually('the command is shown as before', async () => {
        const now = await account.client.getCommand(record.command_id)
        return now.status === 'SUCCESS' && now
      })
      expect(restored).to.include({ attempts: 1 })
      expect(fileOf(restored).storage_url).to.equal(url)
      expect((await fetch(url ?? '')).status).to.equal(200)
    }
    const unknown = await refused(account.client.getCommand(forgotten.command_id))
    expect(unknown.status).to.equal(404)
  })

  it('marks a file as lost whose object was deleted since, after a rehearsal without a change', async () => {
    const rehearsal = await eventually('the operator has compared', () =>
      check('--restore', '--dry-run'),
    )
    expect(rehearsal.code).to.equal(1)
    expect(fileOf(await account.client.getCommand(deleted.command_id)).is_deleted).to.equal(false)
    const found = await check('--restore')
    expect(found).to.deep.equal(rehearsal)
    expect(found?.restore.lost.map(({ file_id }) => file_id)).to.deep.equal([
      fileOf(deleted).file_id,
    ])
    const record = await account.client.getCommand(deleted.command_id)
    expect(record.status).to.equal('SUCCESS')
    expect(fileOf(record)).to.include({
      status: 'STORED',
      is_deleted: true,
      storage_url: null,
      error_status: 'STORAGE_ERROR',
    })
  })

  it('keeps objects without a row for seven days, and deletes these alone', async () => {
    const orphans = await database.query<{ id: string; days: number }>(
      'story_orphans',
      `select owner_id as id, round(extract(epoch from found_at + interval '7 days' - now()) / 86400)::integer as days
       from orphans where account_id = (select account_id from accounts where name = $1)`,
      [account.name],
    )
    expect(orphans).to.deep.equal([{ id: forgotten.command_id, days: 7 }])
    expect(await storedObjects(env, forgotten.command_id)).not.to.deep.equal([])
    await database.query(
      'story_age',
      `update orphans set found_at = found_at - interval '8 days' where owner_id = $1`,
      [forgotten.command_id],
    )
    await eventually('its objects are gone', async () => {
      return (await storedObjects(env, forgotten.command_id)).length === 0
    })
    for (const record of [...early, running, late]) {
      expect((await fetch(fileOf(record).storage_url ?? '')).status).to.equal(200)
    }
  })

  it('runs new commands, and its check finds nothing more', async () => {
    const records = await Promise.all(
      [1, 2, 3].map(() => submitAndWait(account.client, runsFor(1))),
    )
    for (const record of records) expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    const clean = await check('--restore')
    expect(clean).to.include({ code: 0 })
    expect(clean?.restore).to.deep.include({ lost: [] })
    expect(clean?.restore.orphans).to.include({ new_objects: 0 })
    expect(await check()).to.include({ code: 0 })
  })

  function fileOf({ output_files: files }: CommandStatusRecord) {
    return files?.['out_1'] ?? expect.fail('it has no output')
  }

  /** Without the log, which stays as long as the record. */
  async function outputsOf({ command_id: id }: CommandStatusRecord): Promise<string[]> {
    return (await storedObjects(env, id)).filter((key) => key.endsWith('/slow.mp4'))
  }

  function resourceOf({ command_id: id }: CommandStatusRecord): string {
    return `ffc-${id}`
  }

  async function scale(replicas: number): Promise<void> {
    const names = ['deploy/cloud-ffmpeg-operator', 'deploy/cloud-ffmpeg-api-server']
    await env.kubectl('scale', ...names, `--replicas=${replicas}`)
    if (replicas === 0) {
      const servers = 'app.kubernetes.io/component in (api-server, operator)'
      await env.kubectl('wait', '--for=delete', 'pods', '-l', servers, kubectlTimeout)
      return
    }
    for (const name of names) await env.kubectl('rollout', 'status', name, kubectlTimeout)
    await untilReachable(env.cluster)
  }

  async function unfinished(): Promise<string[]> {
    const rows = await database.query<{ id: string }>(
      'story_unfinished',
      `select command_id as id from commands
       where finished_at is null and account_id = (select account_id from accounts where name = $1)`,
      [account.name],
    )
    return rows.map(({ id }) => id)
  }

  /** `code` is the exit code; null if the check refuses to run. */
  async function check(...args: string[]): Promise<(Check & { code: number }) | null> {
    const { kubectl, kubeconfig } = env.cluster
    const output = await runCommand('/bin/sh', [
      '-c',
      '"$0" "$@"; echo "exit $?"',
      kubectl,
      '--kubeconfig',
      kubeconfig,
      '-n',
      env.installed.namespace,
      'exec',
      'deploy/cloud-ffmpeg-api-server',
      '--',
      'node',
      'main.ts',
      'admin',
      'check',
      ...args,
      '--json',
    ])
    const [, json = '', code = ''] = /^([^]*)exit (\d+)\n$/.exec(output) ?? []
    return json === '' ? null : { ...(JSON.parse(json) as Check), code: Number(code) }
  }
})
