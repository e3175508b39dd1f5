import { expect } from 'chai'
import pg from 'pg'
import { largestCommandBytes, storedBytes } from '../../../common/kubernetes/stored-bytes.ts'
import { environment } from '../../steps/environment.ts'
import type { Environment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { newAccount } from '../../steps/new-account.ts'
import type { NewAccount } from '../../steps/new-account.ts'
import { untilEnd } from '../../steps/submit-and-wait.ts'
import { ffmpegCommand } from '../ffmpeg-command.fixture.ts'

const rows = 80
const tiny = {
  input_files: {},
  output_files: { out_1: 'a.png' },
  ffmpeg_command: '-f lavfi -i testsrc2=size=64x64:duration=1 -frames:v 1 {{out_1}}',
  vcpu_count: 1,
}

describe('commands whose custom resource the cluster does not take', () => {
  let env: Environment
  let database: pg.Client
  let good: NewAccount
  let bad: NewAccount
  before(async function () {
    env = await environment(this)
    database = new pg.Client(env.postgres.url(`cloud_ffmpeg_${env.cluster.instance}`))
    await database.connect()
    good = await newAccount(env, 'unlimited')
    bad = await newAccount(env, 'unlimited')
  })
  after(() => database?.end())

  it('runs a body of 504 KB whose 62 URLs hold 8,000 & each, and shows its beginning', async () => {
    const { command_id: id } = await bad.client.submit({
      input_files: largeInputs(),
      output_files: { out_1: 'a.png' },
      ffmpeg_command: '-i {{in_62}} -frames:v 1 {{out_1}}',
      vcpu_count: 1,
    })
    const spec = (await resourceOf(id))['spec']
    expect(spec).to.not.have.any.keys('commands', 'inputFiles')
    expect(spec).to.have.property('request').that.includes({ commands: 1, inputs: 62, outputs: 1 })
    expect(await untilEnd(bad.client, id)).to.include({ status: 'SUCCESS' })
    const described = await env.kubectl('describe', 'ffc', `ffc-${id}`)
    expect(described).to.include('-i {{in_62}} -frames:v 1 {{out_1}}')
    expect(described).to.not.include('&')
  })

  it('dispatches the command of another account beside 80 bodies of 504 KB, in custom resources of at most 24 KiB', async () => {
    const before = await etcdBytes()
    const inputs = largeInputs()
    const ids = await Promise.all(
      Array.from({ length: rows }, async () => {
        return (await bad.client.submit({ ...tiny, input_files: inputs })).command_id
      }),
    )
    await dispatched(await submitGood())
    const [first = '', ...others] = ids
    expect(await untilEnd(bad.client, first)).to.include({ status: 'SUCCESS' })
    const sizes = await resourceBytes()
    expect(sizes).to.not.deep.equal([])
    await Promise.all(others.map((id) => bad.client.cancelCommand(id).catch(() => undefined)))
    for (const id of others) await untilEnd(bad.client, id)
    const grown = ((await etcdBytes()) - before) / 1_048_576
    console.log(
      `      ${sizes.length} custom resources, the largest of ${Math.max(...sizes)} bytes; ` +
        `etcd grew by ${grown.toFixed(1)} MB`,
    )
    expect(Math.max(...sizes)).to.be.at.most(largestCommandBytes)
  })

  it('ends rows whose custom resource is too large in either form with INTERNAL_ERROR', async () => {
    const { rows: made } = await database.query<{ id: string }>(insertOversized, [bad.name, rows])
    await dispatched(await submitGood())
    await eventually('all of them have ended', async () => {
      return (await endsOf(made.map(({ id }) => id))).length === rows
    })
    for (const message of await endsOf(made.map(({ id }) => id))) {
      expect(message).to.match(/^The command takes 118 KB in the cluster, at most 10 KB$/)
    }
  })

  it('delays no other account while creates are answered with 500, ends their commands after a minute, and runs those that are taken before', async () => {
    await env.apply(failingWebhook(bad.name))
    try {
      await eventually('the webhook is in effect', async () => {
        const object = ffmpegCommand('probe', { ...tinySpec, account: bad.name })
        const answer = await env.apply(object).catch(String)
        if (!answer.includes('failed calling webhook')) await env.kubectl('delete', 'ffc', 'probe')
        return answer.includes('failed calling webhook')
      })
      const ids = await Promise.all(
        Array.from({ length: rows }, async () => (await bad.client.submit(tiny)).command_id),
      )
      await dispatched(await submitGood())
      for (const errors of [1, 2, 3, 4, 5]) {
        await eventually(`each row has failed ${errors} times`, async () => {
          return (await fewestDefinite(ids)) >= errors
        })
        // They may not end before this account's commands are dispatched, however slow the machine is.
        if (errors === 1) await setErrorsSince(ids, '1 hour')
        await dispatchedBefore(ids)
      }
      await env.kubectl('get', 'lease', 'cloud-ffmpeg-dispatch')
      const [kept, aged] = [ids.slice(0, 5), ids.slice(5)]
      await setErrorsSince(aged, '-1 minute')
      await eventually('these have ended', async () => {
        return (await endsOf(aged)).length === aged.length
      })
      await dispatchedBefore(kept)
      expect(new Set(await endsOf(aged))).to.deep.equal(
        new Set(['The cluster refused the command: 500 InternalError']),
      )
      expect(await endsOf(kept)).to.deep.equal([])
      await env.kubectl('delete', 'validatingwebhookconfiguration', webhookName)
      for (const id of kept) {
        expect(await untilEnd(bad.client, id)).to.include({ status: 'SUCCESS' })
      }
    } finally {
      await env.kubectl(
        'delete',
        'validatingwebhookconfiguration',
        webhookName,
        '--ignore-not-found',
      )
    }
  })

  /** 62 URLs of a video, which its server finds with any query. */
  function largeInputs(): Record<string, string> {
    const url = `${env.origin.url('clip.mp4')}?${'&'.repeat(8_000)}`
    return Object.fromEntries(Array.from({ length: 62 }, (_, index) => [`in_${index + 1}`, url]))
  }

  async function resourceOf(id: string): Promise<Record<string, unknown>> {
    return eventually(`the custom resource of ${id} exists`, async () => {
      const text = await env.kubectl('get', 'ffc', `ffc-${id}`, '-o', 'json').catch(() => null)
      return text !== null && (JSON.parse(text) as Record<string, unknown>)
    })
  }

  /** Size of each dispatched command's resource, as etcd stores it. */
  async function resourceBytes(): Promise<number[]> {
    const text = await env.kubectl('get', 'ffc', '-o', 'json', '--show-managed-fields')
    const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] }
    return items.filter(({ metadata }) => metadata.name.startsWith('ffc-')).map(storedBytes)
  }

  async function etcdBytes(): Promise<number> {
    const metrics = await env.kubectl('get', '--raw', '/metrics')
    return Number(/^apiserver_storage_size_bytes\{[^}]*\} (\S+)$/m.exec(metrics)?.[1])
  }

  async function submitGood(): Promise<string> {
    return (await good.client.submit(tiny)).command_id
  }

  async function dispatched(commandId: string): Promise<void> {
    await eventually(`the custom resource of ${commandId} exists`, async () => {
      const { rows: found } = await database.query(
        'select 1 from commands where command_id = $1 and resource_uid is not null',
        [commandId],
      )
      return found.length === 1
    })
  }

  /** A command of the other account has its custom resource while none of these has ended or has one. */
  async function dispatchedBefore(ids: readonly string[]): Promise<void> {
    await dispatched(await submitGood())
    const { rows: waiting } = await database.query(
      `select 1 from commands
       where command_id = any($1::uuid[]) and resource_uid is null and finished_at is null`,
      [ids],
    )
    expect(waiting).to.have.length(ids.length)
  }

  /** Error messages of those that have ended. */
  async function endsOf(ids: readonly string[]): Promise<string[]> {
    const { rows: ended } = await database.query<{ message: string }>(
      `select error_message as message from commands
       where command_id = any($1::uuid[]) and error_status = 'INTERNAL_ERROR'`,
      [ids],
    )
    return ended.map(({ message }) => message)
  }

  async function setErrorsSince(ids: readonly string[], fromNow: string): Promise<void> {
    await database.query(
      `update commands set dispatch_error_since = now() + $2::interval
       where command_id = any($1::uuid[])`,
      [ids, fromNow],
    )
  }

  async function fewestDefinite(ids: readonly string[]): Promise<number> {
    const { rows: found } = await database.query<{ fewest: number }>(
      'select min(dispatch_definite) as fewest from commands where command_id = any($1::uuid[])',
      [ids],
    )
    return found[0]?.fewest ?? 0
  }
})

/** The name of the environment has no limit in the database. $1 is the account's name, $2 how many. */
const insertOversized = `
  insert into commands (
    command_id, account_id, command_type, source, original_request, vcpu_count,
    max_run_seconds, is_private, steps, environment_name
  )
  select gen_random_uuid(), account_id, 'FFMPEG_COMMAND',
    json_build_object(
      'commands', json_build_array('-i {{in_1}} {{out_1}}'), 'inputFiles', json_build_object(),
      'inputCompressedFolder', null, 'outputFiles', json_build_object('out_1', 'a.png')
    ),
    '{}', 1, 60, false, '[]', repeat('&', 20000)
  from accounts, generate_series(1, $2::integer) where name = $1
  returning command_id as id`

const webhookName = 'cloud-ffmpeg-story-poison'

/** No server listens there, so kube-apiserver answers 500 to each create of this account. */
function failingWebhook(account: string): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: webhookName },
    webhooks: [
      {
        name: 'poison.cloudffmpeg.dev',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [
          {
            apiGroups: ['cloudffmpeg.dev'],
            apiVersions: ['v1alpha1'],
            operations: ['CREATE'],
            resources: ['ffmpegcommands'],
          },
        ],
        matchConditions: [{ name: 'account', expression: `object.spec.account == '${account}'` }],
        failurePolicy: 'Fail',
        sideEffects: 'None',
        timeoutSeconds: 1,
        admissionReviewVersions: ['v1'],
      },
    ],
  }
}

const tinySpec = { commands: [tiny.ffmpeg_command], outputFiles: tiny.output_files }
