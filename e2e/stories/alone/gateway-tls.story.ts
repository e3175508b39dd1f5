import { X509Certificate } from 'node:crypto'
import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { helmUpgrade, merge } from '../../installation/install.ts'
import type { Values } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { runsFor, submitAndWait, untilEnd, untilFfmpegRuns } from '../../steps/submit-and-wait.ts'

const spreadSeconds = scaled({ smoke: 20, full: 120 })
/** The kubelet looks at changed Secrets and ConfigMaps each 60 to 90 s. */
const syncSeconds = 120
const betweenSubmissionsMs = 3_000
const operators = 'app.kubernetes.io/component=operator'

describe('TLS of the gateway', function () {
  this.timeout(900_000)
  const env = useEnvironment()
  after(() => helmUpgrade(env.cluster, env.installed.namespace, env.installed.values))

  it('is turned on without an end of the commands that began without it', async () => {
    await upgrade({ mode: 'off' })
    const { command_id } = await env.client.submit(runsFor(25))
    await untilFfmpegRuns(env.client, command_id)
    expect(await gatewayOf(command_id)).to.match(/^http:/)
    await upgrade({ mode: 'generated' })
    const record = await submitAndWait(env.client, runsFor(1))
    expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    expect(await gatewayOf(record.command_id)).to.match(/^https:/)
    expect(await untilEnd(env.client, command_id)).to.include({ status: 'SUCCESS', attempts: 1 })
  })

  it('keeps the generated certificate over an upgrade', async () => {
    const before = await certificate()
    await upgrade({ mode: 'generated' })
    expect((await certificate()).fingerprint256).to.equal(before.fingerprint256)
  })

  it('takes another authority and certificate beside commands, without a failure or a restart', async () => {
    const pods = await operatorPods()
    // The command begins before the rotation and ends after it.
    const long = await env.client.submit(runsFor(syncSeconds + spreadSeconds + 60))
    await untilFfmpegRuns(env.client, long.command_id)
    const before = await certificate()
    const load = submitAllTheTime()
    try {
      await upgrade({ mode: 'generated', generated: { generation: 2 } })
      const fresh = await certificate()
      expect(fresh.issuer).to.not.equal(before.issuer)
      const began = performance.now()
      await eventually(
        'all operators present the new certificate',
        () => allPresent(fresh),
        syncSeconds + spreadSeconds + 60,
      )
      console.log(`      presented after ${Math.round((performance.now() - began) / 1000)} s`)
      expect(await authorities()).to.have.members([before.issuer, fresh.issuer])
      load.accepted.push((await env.client.submit(runsFor(1))).command_id)
    } finally {
      await load.stop()
    }
    const ids = [long.command_id, ...load.accepted]
    const records = await Promise.all(ids.map((id) => untilEnd(env.client, id)))
    for (const record of records) expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    // The same pods, none of which has begun again.
    expect(await operatorPods()).to.deep.equal(pods)
    console.log(`      ${records.length} commands beside the rotation, 0 failures`)
  })

  async function upgrade(tls: Values): Promise<void> {
    const spread = {
      name: 'CLOUD_FFMPEG_GATEWAY_CA_SPREAD_SECONDS',
      value: String(spreadSeconds),
    }
    const { namespace, values } = env.installed
    const operator = { replicas: 2, extraEnv: [spread] }
    await helmUpgrade(env.cluster, namespace, merge(values, { operator, gateway: { tls } }))
    await eventually('earlier operators have ended', async () => {
      return (await operatorPods()).length === 2
    })
  }

  /** Certificate of the Secret. */
  async function certificate(): Promise<X509Certificate> {
    const template = 'go-template={{index .data "tls.crt" | base64decode}}'
    return new X509Certificate(
      await env.kubectl('get', 'secret', 'cloud-ffmpeg-gateway-tls', '-o', template),
    )
  }

  /** Authorities that runners trust, by name. */
  async function authorities(): Promise<string[]> {
    const template = 'go-template={{index .data "ca.crt"}}'
    const name = 'cloud-ffmpeg-gateway-ca'
    const pem = await env.kubectl('get', 'configmap', name, '-o', template)
    const blocks = pem.split(/(?=-----BEGIN)/).filter((block) => block.trim() !== '')
    return blocks.map((block) => new X509Certificate(block).subject)
  }

  async function allPresent({ fingerprint256 }: X509Certificate): Promise<boolean> {
    const pods = await operatorPods()
    const logs = await Promise.all(
      pods.map((pod) => env.kubectl('logs', pod.replace(/=.*/, ''), '--tail=-1')),
    )
    return logs.every((log) => log.includes(fingerprint256))
  }

  /** Lines of the form `POD=RESTARTS`. */
  async function operatorPods(): Promise<string[]> {
    const path =
      'jsonpath={range .items[*]}{.metadata.name}={.status.containerStatuses[0].restartCount} {end}'
    const pods = await env.kubectl('get', 'pods', '-l', operators, '-o', path)
    return pods.trim().split(' ').toSorted()
  }

  /** The address that a runner was given. */
  async function gatewayOf(commandId: string): Promise<string> {
    const path = 'jsonpath={range .items[*]}{.metadata.name} {.spec.containers[0].args} {end}'
    const pods = await env.kubectl('get', 'pods', '-o', path)
    const own = pods.slice(pods.indexOf(commandId))
    return /"--gateway","(?<url>[^"]+)"/.exec(own)?.groups?.['url'] ?? ''
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
