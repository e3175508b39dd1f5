import { ApiError } from '../../cli/client/errors.ts'
import { createClient } from '../../cli/client/client.ts'
import type { Cluster } from '../../local-cluster/host/types.ts'
import { isRecord } from '../../local-cluster/host/run-command.ts'
import type { Say } from '../../local-cluster/host/progress.ts'
import { kubectl } from '../../e2e/installation/install.ts'

interface Options {
  readonly cluster: Cluster
  readonly namespace: string
  readonly url: string
  /** A key of an earlier run. */
  readonly known: string | null
  readonly say: Say
}

const account = 'free'

/** The key of a second account on plan free: the earlier key while it is valid, or a new one. */
export async function freeAccountKey(options: Options): Promise<string> {
  const { url, known, say } = options
  if (known !== null && (await works(url, known))) return known
  const accounts = await admin(options, 'accounts', 'list')
  const exists =
    Array.isArray(accounts) && accounts.some((one) => isRecord(one) && one['name'] === account)
  const made = exists
    ? await admin(options, 'keys', 'create', account, '--label', 'quickstart')
    : await admin(options, 'accounts', 'create', account, '--plan', 'free', '--label', 'quickstart')
  const key = isRecord(made) ? made['api_key'] : undefined
  if (typeof key !== 'string') throw new Error(`no key for account ${account}`)
  say(`account ${account} on plan free has a new key`)
  return key
}

async function works(url: string, apiKey: string): Promise<boolean> {
  try {
    await createClient({ url, apiKey }).listCommands({ limit: 1 })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}

/** Runs the administration by `kubectl exec`. */
async function admin({ cluster, namespace }: Options, ...args: string[]): Promise<unknown> {
  const answer: unknown = JSON.parse(
    await kubectl(cluster, [
      '-n',
      namespace,
      'exec',
      'deploy/cloud-ffmpeg-api-server',
      '--',
      'node',
      'main.ts',
      'admin',
      ...args,
      '--json',
    ]),
  )
  return answer
}
