import { expect } from 'chai'
import { helmUpgrade, merge } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { newAccount } from '../../steps/new-account.ts'
import { runsFor, untilEnd, untilFfmpegRuns } from '../../steps/submit-and-wait.ts'
import type { Client } from '../../../cli/client/client.ts'

/** Less than each of the commands waits for the cluster. */
const startAllowanceSeconds = 15
const runSeconds = 20
/** Two pods may wait for a node, which takes both where it has room for both. */
const togetherMs = 1_000
const name = 'refuses-runners'

describe('a cluster that has no room for runners, or refuses them, for a while', function () {
  this.timeout(900_000)
  const env = useEnvironment()
  let client: Client

  before(async () => {
    await helmUpgrade(env.cluster, env.installed.namespace, values())
    client = (await newAccount(env, 'pro')).client
  })
  after(() => helmUpgrade(env.cluster, env.installed.namespace, env.installed.values))

  const values = () =>
    merge(env.installed.values, {
      operator: { startAllowanceSeconds, capacityVcpus: null, startingPods: null },
      runner: { warm: { min: 0, max: 0 } },
    })
  const submitThree = async (seconds: number): Promise<string[]> => {
    const ids: string[] = []
    for (const _each of ['first', 'second', 'third']) {
      ids.push((await client.submit(runsFor(seconds))).command_id)
    }
    return ids
  }
  /** All end with SUCCESS, one begins after the other. */
  const expectInOrder = async (ids: readonly string[]): Promise<void> => {
    const records = await Promise.all(ids.map((id) => untilEnd(client, id, 400)))
    expect(records.map(({ status, error_message: why }) => ({ status, why }))).to.deep.equal(
      ids.map(() => ({ status: 'SUCCESS', why: null })),
    )
    const starts = records.map(({ started_at: at }) => Date.parse(at ?? ''))
    for (const [index, startMs] of starts.slice(1).entries()) {
      expect(startMs).to.be.at.least((starts[index] ?? NaN) - togetherMs)
    }
  }
  const untilWaits = (id: string, reason: string): Promise<unknown> =>
    eventually(`${id} waits for ${reason}`, async () => {
      return (await client.getCommand(id)).queue_reason === reason
    })

  it('runs four commands in their order under a quota for one runner', async () => {
    const phase = ['--field-selector', 'status.phase!=Succeeded,status.phase!=Failed']
    const pods = (await env.kubectl('get', 'pods', ...phase, '-o', 'name')).trim().split('\n')
    const spec = { hard: { pods: String(pods.length + 1) } }
    await env.apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec })
    try {
      // Jobs of commands that start at once race for the first place.
      const { command_id: first } = await client.submit(runsFor(runSeconds))
      await untilFfmpegRuns(client, first)
      const [second, ...others] = await submitThree(runSeconds)
      await untilWaits(second ?? '', 'QUOTA_OF_CLUSTER')
      await expectInOrder([first, second ?? '', ...others])
    } finally {
      await env.kubectl('delete', 'resourcequota', name)
    }
  })

  it('runs three commands in their order after no node had room for longer than the start allowance', async () => {
    const nodes = (await env.kubectl('get', 'nodes', '-o', 'name')).trim().split('\n')
    await env.kubectl('cordon', ...nodes)
    const ids: string[] = []
    try {
      ids.push(...(await submitThree(1)))
      await untilWaits(ids[0] ?? '', 'CAPACITY')
      await new Promise((passed) => setTimeout(passed, 2_000 * startAllowanceSeconds))
      expect((await client.getCommand(ids[0] ?? '')).status).to.equal('QUEUED')
    } finally {
      await env.kubectl('uncordon', ...nodes)
    }
    await expectInOrder(ids)
  })

  it('runs three commands in their order after a policy has denied their Jobs', async () => {
    const api = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name } }
    const rule = {
      apiGroups: ['batch'],
      apiVersions: ['v1'],
      operations: ['CREATE'],
      resources: ['jobs'],
    }
    await env.apply({
      ...api,
      kind: 'ValidatingAdmissionPolicy',
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: 'false', message: 'no Jobs for now' }],
      },
    })
    const binding = { policyName: name, validationActions: ['Deny'] }
    await env.apply({ ...api, kind: 'ValidatingAdmissionPolicyBinding', spec: binding })
    const kinds = 'validatingadmissionpolicies,validatingadmissionpolicybindings'
    const ids: string[] = []
    try {
      await eventually('the policy denies', async () => {
        const probe = ['create', 'job', 'probe', '--image=none', '--dry-run=server']
        return String(await env.kubectl(...probe).catch(String)).includes('no Jobs for now')
      })
      ids.push(...(await submitThree(1)))
      await untilWaits(ids[0] ?? '', 'POLICY')
      const message = ['get', 'ffc', `ffc-${ids[0]}`, '-o', 'jsonpath={.status.message}']
      await eventually('the resource has the words', async () => {
        return (await env.kubectl(...message)).includes('no Jobs for now')
      })
      await new Promise((passed) => setTimeout(passed, 2_000 * startAllowanceSeconds))
    } finally {
      await env.kubectl('delete', kinds, name)
    }
    await expectInOrder(ids)
  })

  it('says within 15 s in record, resource and Event that a LimitRange refuses the pod of a Job', async () => {
    const spec = { limits: [{ type: 'Container', max: { cpu: '100m' } }] }
    await env.apply({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name }, spec })
    const { command_id: id } = await client.submit(runsFor(1))
    const beganMs = performance.now()
    try {
      await untilWaits(id, 'QUOTA_OF_CLUSTER')
      const seconds = Math.round((performance.now() - beganMs) / 1_000)
      console.log(`      the record says so after ${seconds} s`)
      const status = [
        'get',
        'ffc',
        `ffc-${id}`,
        '-o',
        'jsonpath={.status.reason} {.status.message}',
      ]
      await eventually('the resource says why', async () => {
        const shown = await env.kubectl(...status)
        return shown.startsWith('PodRefused') && shown.includes('maximum cpu usage per Container')
      })
      const events = ['get', 'events', '--field-selector', `involvedObject.name=ffc-${id}`]
      await eventually('an Event says so', async () => {
        return (await env.kubectl(...events)).includes('PodRefused')
      })
    } finally {
      await env.kubectl('delete', 'limitrange', name)
    }
    expect(await untilEnd(client, id, 200)).to.include({ status: 'SUCCESS' })
  })

  it('ends a command whose image does not exist by the start allowance', async () => {
    const more = { runner: { tag: 'does-not-exist', digest: '' } }
    await helmUpgrade(env.cluster, env.installed.namespace, merge(values(), more))
    const { command_id: id } = await client.submit(runsFor(1))
    const record = await untilEnd(client, id, 200)
    expect(record).to.include({ status: 'FAILED', error_status: 'START_TIMEOUT' })
    expect(record.error_message).to.match(/ImagePull|ErrImage/)
  })
})
