import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Cluster, StartOptions } from '../host/types.ts'
import { instanceOf, type Instance } from '../host/instance.ts'
import { NoCluster, publishedNodePort } from '../host/types.ts'
import { runCommand } from '../host/run-command.ts'
import { findCommand } from '../tools/find-command.ts'
import { goTool } from '../tools/go.ts'
import { helmCommand } from '../tools/helm.ts'
import { withProgress } from '../host/progress.ts'

const kindVersion = 'v0.33.0'

/**
 * A cluster in Docker, by kind, for machines without root. Written after kind's documentation and not exercised: the
 * machines that this project is tested on cannot pull kind's node image.
 */
export async function startKindCluster(options: StartOptions): Promise<Cluster> {
  const instance = instanceOf(options.instance)
  const { settings, say } = options
  const helm = await helmCommand({ settings, say })
  const kind = await goTool({
    name: 'kind',
    packagePath: 'sigs.k8s.io/kind',
    version: kindVersion,
    usually: '1 min',
    settings,
    say,
  })
  const kubectl = await findCommand('kubectl')
  if (kubectl === undefined) {
    throw new NoCluster('kubectl is not on PATH: https://kubernetes.io/docs/tasks/tools/')
  }
  const name = clusterName(instance)
  const kubeconfig = path.join(instance.runFolder, 'kind.conf')
  await mkdir(instance.runFolder, { recursive: true })
  if (options.fresh === true) await stopKindCluster(instance)
  const clusters = (await runCommand(kind, ['get', 'clusters'])).split('\n')
  if (!clusters.includes(name)) {
    const progress = { what: `creating kind cluster ${name}`, usually: '1 to 3 min' }
    await withProgress(say, progress, (onLine) =>
      runCommand(kind, ['create', 'cluster', '--name', name, '--config', '-', '--wait', '180s'], {
        input: JSON.stringify(configuration(instance)),
        env: { KUBECONFIG: kubeconfig },
        onLine,
      }),
    )
  }
  await runCommand(kind, ['export', 'kubeconfig', '--name', name, '--kubeconfig', kubeconfig])
  const node = `${name}-control-plane`
  return {
    provider: 'kind',
    instance: instance.name,
    kubeconfig,
    hostAddress: await gatewayAddress(),
    // extraPortMappings publish the port on loopback, which also works where containers run in a virtual machine
    nodeAddress: '127.0.0.1',
    publishedUrl: `http://127.0.0.1:${instance.kindPublishedPort}`,
    podCidr: '10.244.0.0/16',
    registry: 'registry.e2e',
    kubectl,
    helm,
    async loadImage(archive) {
      await runCommand(kind, ['load', 'image-archive', archive, '--name', name])
    },
    async stopNode() {
      await runCommand('docker', ['pause', node])
    },
    async startNode() {
      await runCommand('docker', ['unpause', node])
    },
    stop: () => stopKindCluster(instance),
  }
}

export async function stopKindCluster(instance: Instance): Promise<void> {
  const name = clusterName(instance)
  const label = `label=io.x-k8s.kind.cluster=${name}`
  const nodes = (await runCommand('docker', ['ps', '-aq', '--filter', label])).trim()
  if (nodes !== '') await runCommand('docker', ['rm', '--force', '--volumes', ...nodes.split('\n')])
}

function clusterName({ name }: Instance): string {
  return `cloud-ffmpeg-${name}`
}

function configuration(instance: Instance): object {
  const mapping = {
    containerPort: publishedNodePort,
    hostPort: instance.kindPublishedPort,
    listenAddress: '127.0.0.1',
  }
  return {
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    nodes: [{ role: 'control-plane', extraPortMappings: [mapping] }],
  }
}

/** Docker's network of all kind clusters: its gateway is this machine. */
async function gatewayAddress(): Promise<string> {
  const format = '{{range .IPAM.Config}}{{.Gateway}}{{"\\n"}}{{end}}'
  const gateways = await runCommand('docker', ['network', 'inspect', 'kind', '--format', format])
  const address = gateways.split('\n').find((each) => /^\d+(\.\d+){3}$/.test(each))
  if (address === undefined) throw new NoCluster("Docker's network kind has no IPv4 gateway")
  return address
}
