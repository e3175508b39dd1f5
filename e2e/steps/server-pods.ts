import { readdir, readFile } from 'node:fs/promises'
import type { Installation } from '../installation/install.ts'
import type { Environment } from './environment.ts'

type Installed = Pick<Environment, 'kubectl'> & {
  readonly installed: Pick<Installation, 'namespace'>
}

/**
 * SIGKILL to a container's first process, from outside its pid namespace: nothing in the container
 * gets to say a last word. Local clusters only; elsewhere the pod is deleted without grace.
 */
export async function killContainer(env: Environment, pod: string): Promise<void> {
  if (env.cluster.provider !== 'local') {
    await env.kubectl('delete', 'pod', pod, '--force', '--grace-period=0')
    return
  }
  const id = await env.kubectl(
    'get',
    'pod',
    pod,
    '-o',
    'jsonpath={.status.containerStatuses[0].containerID}',
  )
  const pids = await processesOf(id.replace(/^.*\/\//, ''))
  if (pids.length === 0) throw new Error(`no process of container ${id} on this machine`)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

async function processesOf(containerId: string): Promise<number[]> {
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const cgroups = await readFile(`/proc/${entry}/cgroup`, 'utf8').catch(() => '')
    if (cgroups.includes(containerId)) found.push(Number(entry))
  }
  return found
}

export async function podOf(env: Installed, component: string): Promise<string> {
  const selector = `app.kubernetes.io/component=${component}`
  const name = await env.kubectl(
    'get',
    'pods',
    '-l',
    selector,
    '-o',
    'jsonpath={.items[0].metadata.name}',
  )
  if (name === '') throw new Error(`no pod of ${component}`)
  return name
}

/** Restarts of both servers, as `POD=COUNT …`. */
export function serverRestarts(env: Installed): Promise<string> {
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

/** Attempts that the operator's process has counted as lost for this reason. */
export async function lostAttempts(env: Environment, reason: string): Promise<number> {
  const name = 'cloudffmpeg_attempts_lost_total'
  const line = new RegExp(`^${name}\\{[^}]*reason="${reason}"[^}]*\\} (\\d+)$`, 'm')
  return Number(line.exec(await operatorMetrics(env))?.[1] ?? 0)
}

/** Runners that wait for a command at the leader's gateway. */
export async function waitingRunners(env: Installed): Promise<number> {
  const metrics = await operatorMetrics(env)
  const value = /^cloudffmpeg_warm_standbys\{[^}]*state="waiting"[^}]*\} (\d+)$/m.exec(metrics)?.[1]
  return Number(value ?? 0)
}

async function operatorMetrics(env: Installed): Promise<string> {
  const pod = await podOf(env, 'operator')
  const pods = `/api/v1/namespaces/${env.installed.namespace}/pods`
  return env.kubectl('get', '--raw', `${pods}/${pod}:9090/proxy/metrics`)
}

const servers = 'app.kubernetes.io/component in (api-server, operator)'
