import { randomBytes } from 'node:crypto'
import { createClient } from '../../../cli/client/client.ts'
import { kubectl } from '../../../e2e/installation/install.ts'
import type { Client } from '../../../cli/client/client.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'

/** Runners that always wait, and a second client of a plan whose commands get none of them. */
export async function keepWaiting(
  environment: BenchEnvironment,
  standbys: number,
): Promise<{ readonly coldClient: Client }> {
  const cold = { ...(await planOf(environment)), warm: false }
  await environment.reconfigure({
    runner: { warm: { min: standbys, max: standbys } },
    plans: { cold },
  })
  return { coldClient: await clientOf(environment, 'cold') }
}

/** The plan of the installation's own account, as the chart has it. */
async function planOf({ cluster, namespace }: BenchEnvironment): Promise<Record<string, unknown>> {
  const path = `jsonpath={.spec.template.spec.containers[0].env[?(@.name=="CLOUD_FFMPEG_PLANS")].value}`
  const deployment = 'deploy/cloud-ffmpeg-operator'
  const text = await kubectl(cluster, ['-n', namespace, 'get', deployment, '-o', path])
  const plans = JSON.parse(text) as Record<string, Record<string, unknown>>
  const { unlimited } = plans
  if (unlimited === undefined) throw new Error('the chart has no plan unlimited')
  return unlimited
}

async function clientOf({ cluster, namespace }: BenchEnvironment, plan: string): Promise<Client> {
  const admin = async (...args: string[]): Promise<string> => {
    const program = ['exec', 'deploy/cloud-ffmpeg-api-server', '--', 'node', 'main.ts', 'admin']
    return kubectl(cluster, ['-n', namespace, ...program, ...args, '--json'])
  }
  const name = `${plan}-${randomBytes(4).toString('hex')}`
  await admin('accounts', 'create', name, '--plan', plan)
  const made = JSON.parse(await admin('keys', 'create', name)) as { api_key: string }
  return createClient({ url: cluster.publishedUrl, apiKey: made.api_key })
}
