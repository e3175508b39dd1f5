import { createReadStream } from 'node:fs'
import { createServer } from 'node:https'
import path from 'node:path'
import { expect } from 'chai'
import { createClient } from '../../cli/client/client.ts'
import type { Client } from '../../cli/client/client.ts'
import { listenAt } from '../../testing/support/http-server.ts'
import { createTestAuthority } from '../../testing/tls/certificates.ts'
import { ensureNamespace } from '../installation/install.ts'
import { createSecondRelease } from '../installation/second-release.ts'
import type { SecondRelease } from '../installation/second-release.ts'
import { environment } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { kubectlTimeout } from '../steps/eventually.ts'
import { portForward } from '../steps/port-forward.ts'
import type { PortForward } from '../steps/port-forward.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

/** Runners in a namespace of their own need the ConfigMap as well. */
const [servers, runners] = ['private-ca', 'private-ca-runners']

describe('a company with an authority of its own', () => {
  let env: Environment
  let release: SecondRelease
  let company: { readonly url: string; close(): Promise<void> }
  let forward: PortForward | undefined
  const calls: string[] = []
  before(async function () {
    env = await environment(this)
    const address = env.cluster.hostAddress
    const authority = await createTestAuthority('company')
    const { cert, key } = await authority.issue(address)
    const server = createServer({ cert, key }, (request, response) => {
      calls.push(`${request.method} ${request.url}`)
      if (request.method === 'POST') response.writeHead(204).end()
      else createReadStream(path.join(env.folder, 'clip.mp4')).pipe(response)
    })
    const { url, close } = await listenAt(address, server)
    company = { url: url.replace('http:', 'https:'), close }
    release = await createSecondRelease(env, { runner: { namespace: runners } }, servers)
    for (const namespace of [servers, runners]) {
      await ensureNamespace(env.cluster, namespace)
      await release.applyTo(namespace, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'company-ca' },
        data: { 'ca.crt': authority.ca },
      })
    }
  })
  after(async () => {
    await forward?.close()
    await company.close()
    await release.helm('uninstall', 'cloud-ffmpeg', '--wait')
    for (const namespace of [servers, runners]) {
      await env.kubectl('delete', 'namespace', namespace, kubectlTimeout)
    }
  })

  it('inputs and receivers of a company are refused by a release that does not know its authority', async () => {
    const client = await installed({})
    const record = await submitAndWait(client, copyOf(`${company.url}/clip.mp4`))
    expect(record).to.include({ status: 'FAILED', error_status: 'UNREACHABLE_INPUT_FILE' })
    expect(record.error_message).to.include('has no valid TLS certificate')
    await client.putWebhook({ url: `${company.url}/hook` })
    expect(await client.testWebhook()).to.include({
      ok: false,
      error: 'The URL has no valid TLS certificate',
    })
    expect(calls).to.deep.equal([])
  })

  it('a company has its inputs fetched and its receiver called once trust.caConfigMap names it', async () => {
    const client = await installed({ trust: { caConfigMap: 'company-ca' } })
    const record = await submitAndWait(client, copyOf(`${company.url}/clip.mp4`))
    expect(record).to.include({ status: 'SUCCESS' })
    expect(await client.testWebhook()).to.include({ ok: true, response_status: 204 })
    expect(calls).to.include.members(['GET /clip.mp4', 'POST /hook'])
  })

  it('a company is not led to the Kubernetes API, though the address of its server is allowed', async () => {
    const client = await installed({ trust: { caConfigMap: 'company-ca' } })
    const kubernetes = await kubernetesApi()
    // The same host as that of the company's server, which is open.
    expect(new URL(kubernetes).hostname).to.equal(new URL(company.url).hostname)
    const record = await submitAndWait(client, copyOf(`${kubernetes}/clip.mp4`))
    expect(record).to.include({ status: 'FAILED', error_status: 'UNREACHABLE_INPUT_FILE' })
    expect(record.error_message).to.include('is not at a public address')
    await client.putWebhook({ url: `${kubernetes}/hook` })
    expect(await client.testWebhook()).to.include({
      ok: false,
      response_status: null,
      error: 'The URL is not at a public address',
    })
  })

  async function installed(values: Record<string, unknown>): Promise<Client> {
    await forward?.close()
    await release.upgrade(values)
    const template = 'go-template={{index .data "api-key" | base64decode}}'
    const secret = ['get', 'secret', 'cloud-ffmpeg-bootstrap', '-o', template]
    const apiKey = await release.kubectl(...secret)
    const target = { namespace: servers, service: 'cloud-ffmpeg-api-server', ports: ':80' }
    forward = await portForward(env.cluster, target)
    return createClient({ url: forward.url, apiKey })
  }

  async function kubernetesApi(): Promise<string> {
    const slice = ['-n', 'default', 'get', 'endpointslice', 'kubernetes', '-o', 'json']
    const { endpoints, ports } = JSON.parse(await env.kubectl(...slice)) as {
      readonly endpoints: { readonly addresses: string[] }[]
      readonly ports: { readonly port: number }[]
    }
    return `https://${endpoints[0]?.addresses[0]}:${ports[0]?.port}`
  }
})

function copyOf(url: string) {
  return {
    input_files: { in_1: url },
    output_files: { out_1: 'a.mp4' },
    ffmpeg_command: '-i {{in_1}} -c copy {{out_1}}',
    vcpu_count: 1,
  }
}
