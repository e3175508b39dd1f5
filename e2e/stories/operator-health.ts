import type { Environment } from './environment.ts'
import { podOf } from './processes-of-containers.ts'

/** Restarts of both servers, as `POD=COUNT …`. */
export function serverRestarts(env: Environment): Promise<string> {
  const path =
    'jsonpath={range .items[*]}{.metadata.name}={.status.containerStatuses[0].restartCount} {end}'
  return env.kubectl('get', 'pods', '-l', servers, '-o', path)
}

/** Terms of leadership that the operator's process lost. */
export async function lostTerms(env: Environment): Promise<number> {
  const metrics = await operatorMetrics(env)
  const value = /^cloudffmpeg_leader_terms_total\{[^}]*end="lost"[^}]*\} (\d+)$/m.exec(metrics)?.[1]
  return Number(value ?? 0)
}

async function operatorMetrics(env: Environment): Promise<string> {
  const pod = await podOf(env, 'operator')
  const pods = `/api/v1/namespaces/${env.installed.namespace}/pods`
  return env.kubectl('get', '--raw', `${pods}/${pod}:9090/proxy/metrics`)
}

const servers = 'app.kubernetes.io/component in (api-server, operator)'
