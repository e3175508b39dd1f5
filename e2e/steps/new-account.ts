import { randomBytes } from 'node:crypto'
import { createClient } from '../../cli/client/client.ts'
import type { Client } from '../../cli/client/client.ts'
import type { Installation } from '../installation/install.ts'
import type { Environment } from './environment.ts'

export interface NewAccount {
  readonly name: string
  readonly apiKey: string
  readonly client: Client
}

/** Access to the admin program in an API server. */
export type AdminAccess = Pick<Environment, 'kubectl'> & {
  readonly installed: Pick<Installation, 'url'>
}

/** An account of its own with a key, made as an operator of the service makes one. */
export async function newAccount(
  env: AdminAccess,
  plan: string,
  environmentName?: string,
): Promise<NewAccount> {
  const name = `${plan}-${randomBytes(4).toString('hex')}`
  await admin(env, 'accounts', 'create', name, '--plan', plan)
  const environment = environmentName === undefined ? [] : ['--environment', environmentName]
  const made = await admin(env, 'keys', 'create', name, ...environment)
  const { api_key: apiKey } = JSON.parse(made) as { api_key: string }
  return { name, apiKey, client: createClient({ url: env.installed.url, apiKey }) }
}

export function admin(env: AdminAccess, ...args: string[]): Promise<string> {
  const program = ['node', 'main.ts', 'admin']
  return env.kubectl('exec', 'deploy/cloud-ffmpeg-api-server', '--', ...program, ...args, '--json')
}
