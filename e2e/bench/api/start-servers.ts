import { fork, spawnSync } from 'node:child_process'
import { environmentWith, startMain } from '../../../api-server/main.fixture.ts'
import { waitFor } from '../../../local-cluster/host/wait-for.ts'
import { freePort } from '../../../testing/support/http-server.ts'
import { planWith } from '../../../testing/support/plans.ts'

export const apiKey = 'cff_0123456789abcdef0123456789abcdef'
/** Resources in the cluster: as many as the rows say there are, so that dispatch waits. */
export const liveCommands = 1_000

/** The API server and its peers, without a cluster, on one processor; this process, which is the load, on the other. */
export async function startServers(databaseUrl: string) {
  const [port, metrics, bare, express] = await Promise.all([1, 2, 3, 4].map(freePort))
  const plan = planWith({ vcpuPerCommand: 16, vcpuTotal: null, maxRunSeconds: 86_400 })
  const { child: api } = startMain({
    ...environmentWith(
      databaseUrl,
      { unlimited: plan },
      { apiServer: { port, liveCommands }, metrics: { port: metrics } },
    ),
    CLOUD_FFMPEG_BOOTSTRAP_API_KEY: apiKey,
    KUBECONFIG: '/dev/null',
  })
  const peers = fork(new URL('peers.ts', import.meta.url), [databaseUrl, `${bare}`, `${express}`])
  const pins = `taskset -acp 0 ${api.pid}; taskset -acp 0 ${peers.pid}; taskset -acp 1 ${process.pid}`
  spawnSync('sh', ['-c', pins])
  const [url, hello] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${express}`]
  const answers = async (at: string) => (await fetch(at).catch(() => null))?.ok === true
  const what = 'the API server and its peers'
  await waitFor(async () => (await answers(`${url}/readyz`)) && answers(hello), { what })
  const stop = () => [api, peers].forEach((child) => child.kill('SIGKILL'))
  return { api: url, bare: `http://127.0.0.1:${bare}`, hello, stop }
}
