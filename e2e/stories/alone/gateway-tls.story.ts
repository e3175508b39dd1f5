import { X509Certificate } from 'node:crypto'
import { expect } from 'chai'
import { labels } from '../../../common/domain/resource-names.ts'
import { createTestAuthority } from '../../../testing/tls/certificates.ts'
import type { IssuedCertificate, TestAuthority } from '../../../testing/tls/certificates.ts'
import { helmUpgrade, kubectl, merge } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { runsFor, submitAndWait, untilEnd, untilFfmpegRuns } from '../../steps/submit-and-wait.ts'

/** The kubelet looks at changed Secrets each 60 to 90 s, and the operator each 10 s. */
const syncSeconds = 130
const betweenSubmissionsMs = 3_000
const operators = 'app.kubernetes.io/component=operator'
const secretName = 'my-gateway'
/** Host name of the gateway for runners in the namespace of the release. */
const host = 'cloud-ffmpeg-gateway'

describe('TLS of the gateway', function () {
  this.timeout(900_000)
  const env = useEnvironment()
  let first: TestAuthority
  let second: TestAuthority
  before(async () => {
    first = await createTestAuthority('first')
    second = await createTestAuthority('second')
  })
  after(() => helmUpgrade(env.cluster, env.installed.namespace, env.installed.values))

  it('TLS of the gateway is turned on by the name of a Secret, and commands run over it', async () => {
    await writeSecret(await first.issue(host))
    const { namespace, values } = env.installed
    const tls = { operator: { replicas: 2 }, gateway: { tls: { existingSecret: secretName } } }
    await helmUpgrade(env.cluster, namespace, merge(values, tls))
    await eventually('earlier operators have ended', async () => (await pods()).length === 2)
    const record = await submitAndWait(env.client, runsFor(1))
    expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    const args = await argumentsOf(record.command_id)
    expect(args).to.include(`https://${host}:`).and.to.include(textOf(first.ca))
  })

  it('takes a renewed certificate beside commands, without a failure or a restart', async () => {
    const before = await pods()
    const load = submitAllTheTime()
    try {
      await present(await first.issue(host))
    } finally {
      await load.stop()
    }
    const records = await Promise.all(load.accepted.map((id) => untilEnd(env.client, id)))
    for (const record of records) expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    expect(await pods()).to.deep.equal(before)
    console.log(`      ${records.length} commands beside the renewal, 0 failures`)
  })

  it('takes the certificate of another authority beside commands that know both', async () => {
    const before = await pods()
    const own = await first.issue(host)
    await writeSecret({ ...own, ca: first.ca + second.ca })
    await eventually('new runners know both authorities', knowsSecond, syncSeconds)
    // This command begins before the other certificate and ends after it.
    const { command_id } = await env.client.submit(runsFor(syncSeconds))
    await untilFfmpegRuns(env.client, command_id)
    await present({ ...(await second.issue(host)), ca: first.ca + second.ca })
    const record = await submitAndWait(env.client, runsFor(1))
    expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    expect(await untilEnd(env.client, command_id)).to.include({ status: 'SUCCESS', attempts: 1 })
    expect(await pods()).to.deep.equal(before)
  })

  async function writeSecret({ cert, key, ca }: IssuedCertificate): Promise<void> {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: secretName, namespace: env.installed.namespace },
      stringData: { 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca },
    }
    await kubectl(env.cluster, ['apply', '-f', '-'], JSON.stringify(secret))
  }

  async function present(issued: IssuedCertificate): Promise<void> {
    await writeSecret(issued)
    const { fingerprint256 } = new X509Certificate(issued.cert)
    const began = performance.now()
    await eventually(
      'all operators present the new certificate',
      async () => (await operatorLogs()).every((log) => log.includes(fingerprint256)),
      syncSeconds,
    )
    console.log(`      presented after ${Math.round((performance.now() - began) / 1000)} s`)
  }

  async function knowsSecond(): Promise<boolean> {
    const { command_id } = await submitAndWait(env.client, runsFor(1))
    return (await argumentsOf(command_id)).includes(textOf(second.ca))
  }

  async function operatorLogs(): Promise<string[]> {
    const names = (await pods()).map((pod) => pod.replace(/=.*/, ''))
    return await Promise.all(names.map((name) => env.kubectl('logs', name, '--tail=-1')))
  }

  /** The operators, as `POD=RESTARTS`. */
  async function pods(): Promise<string[]> {
    const path =
      'jsonpath={range .items[*]}{.metadata.name}={.status.containerStatuses[0].restartCount} {end}'
    const text = await env.kubectl('get', 'pods', '-l', operators, '-o', path)
    return text.trim().split(' ').toSorted()
  }

  /** Arguments of the container of a runner that speaks to the gateway, as JSON. */
  function argumentsOf(commandId: string): Promise<string> {
    const path = 'jsonpath={.items[*].spec.containers[0].args}'
    return env.kubectl('get', 'pods', '-l', `${labels.commandId}=${commandId}`, '-o', path)
  }

  function submitAllTheTime() {
    const accepted: string[] = []
    const ending = new AbortController()
    const running = (async () => {
      while (!ending.signal.aborted) {
        accepted.push((await env.client.submit(runsFor(2))).command_id)
        await new Promise((next) => setTimeout(next, betweenSubmissionsMs))
      }
    })()
    return {
      accepted,
      async stop() {
        ending.abort()
        await running
      },
    }
  }
})

/** A line of the text that tells one certificate from another, and that JSON leaves as it is. */
function textOf(pem: string): string {
  return pem.trim().split('\n').at(-2) ?? pem
}
