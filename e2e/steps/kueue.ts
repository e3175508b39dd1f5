import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { instanceOf } from '../../local-cluster/host/instance.ts'
import { endProcess, logTail, startDetached } from '../../local-cluster/host/processes.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { localLayout } from '../../local-cluster/local/layout.ts'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { waitFor } from '../../local-cluster/host/wait-for.ts'
import { kueueFolder } from '../../local-cluster/tools/kueue.ts'
import { freePort } from '../../testing/support/http-server.ts'
import { kubectlTimeout } from './eventually.ts'
import type { Environment } from './environment.ts'

/** Kueue's controller as a process of this machine. */
export interface Kueue {
  stop(): Promise<void>
}

/** Kueue reads the certificate of its metrics from this folder of /etc and from no other. */
const metricsKeys = 'kueue/metrics/certs'
/** Runs the rest of the line with a folder in place of /etc, which no other process sees. */
const withEtc = 'mount --bind "$0" /etc && exec "$@"'

/** Starts Kueue with its kinds and without its webhooks, which would need a Service in the cluster. */
export async function startKueue(env: Environment): Promise<Kueue> {
  const { cluster } = env
  const settings = clusterSettings(process.env)
  const tool = await kueueFolder({ settings, say: console.log })
  const crds = path.join(tool, 'crds')
  await env.kubectl('apply', '--server-side', '-f', crds)
  await env.kubectl('wait', '--for=condition=Established', kubectlTimeout, '-f', crds)

  // Ends with the cluster at the latest.
  const group = localLayout(instanceOf(cluster.instance))
  await endProcess(group, 'kueue')
  const folder = path.join(group.folder, 'kueue')
  const etc = path.join(folder, 'etc')
  const keys = path.join(etc, metricsKeys)
  await rm(folder, { recursive: true, force: true })
  await mkdir(keys, { recursive: true, mode: 0o700 })
  await selfSigned(keys)
  const ports = { health: await freePort(), metrics: await freePort(), webhook: await freePort() }
  const config = path.join(folder, 'config.json')
  await writeFile(config, JSON.stringify(configuration(ports, keys)))
  const kueue = [path.join(tool, 'kueue'), `--config=${config}`, featureGates]
  await startDetached({
    name: 'kueue',
    group,
    command: 'unshare',
    args: ['--mount', '/bin/sh', '-c', withEtc, etc, ...kueue],
    env: { KUBECONFIG: cluster.kubeconfig },
  })
  await waitFor(() => isReady(ports.health), {
    what: 'Kueue to be ready',
    explain: () => logTail(group, 'kueue'),
  })
  return { stop: () => endProcess(group, 'kueue', { signal: 'SIGTERM' }) }
}

/** The API for people who look into queues has a port of its own; no test reads it. */
const featureGates = '--feature-gates=VisibilityOnDemand=false'

function configuration(
  { health, metrics, webhook }: { health: number; metrics: number; webhook: number },
  certDir: string,
): object {
  return {
    apiVersion: 'config.kueue.x-k8s.io/v1beta2',
    kind: 'Configuration',
    health: { healthProbeBindAddress: `127.0.0.1:${health}` },
    metrics: { bindAddress: `127.0.0.1:${metrics}` },
    webhook: { host: '127.0.0.1', port: webhook, certDir },
    leaderElection: { leaderElect: false },
    internalCertManagement: { enable: false },
    integrations: { frameworks: ['batch/job'] },
  }
}

async function selfSigned(folder: string): Promise<void> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const files = ['-keyout', 'tls.key', '-out', 'tls.crt', '-subj', '/CN=localhost']
  await runCommand('openssl', ['req', '-x509', ...key, ...files], { cwd: folder })
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
