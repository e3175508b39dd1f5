import { parseArgs } from 'node:util'
import { startCluster, stopInstance } from './cluster.ts'
import { NoCluster } from './host/types.ts'
import { localStatus } from './local/local-status.ts'
import { clusterSettings, parseProvider } from './host/settings.ts'

const usage = `main.ts COMMAND [--instance NAME] [--cluster local|kind|kubeconfig]
  start [--fresh]      starts the cluster, or finds the running one
  stop                 ends it, its PostgreSQL and its S3, and deletes their state
  status               what runs of a local cluster
  load ARCHIVE NAME    makes an image known to it
  node-stop            a power cut of the node
  node-start           and back`

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof NoCluster)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      instance: { type: 'string', default: 'test' },
      cluster: { type: 'string' },
      fresh: { type: 'boolean', default: false },
    },
  })
  const [command, ...rest] = positionals
  const { instance, fresh } = values
  const say = (text: string) => console.error(text)
  const settings = {
    ...clusterSettings(process.env),
    ...(values.cluster === undefined ? {} : { provider: parseProvider(values.cluster) }),
  }
  const cluster = () => startCluster({ instance, settings, say, fresh })
  switch (command) {
    case 'start':
      console.log(`export KUBECONFIG=${(await cluster()).kubeconfig}`)
      return 0
    case 'stop':
      await stopInstance({ instance, settings, say })
      return 0
    case 'status':
      console.log(await localStatus(instance))
      return 0
    case 'load': {
      const [archive, name] = rest
      if (archive === undefined || name === undefined) break
      await (await cluster()).loadImage(archive, name)
      return 0
    }
    case 'node-stop':
      await (await cluster()).stopNode?.()
      return 0
    case 'node-start':
      // starting finds the node missing and brings it back
      await cluster()
      return 0
    case undefined:
    default:
  }
  console.error(usage)
  return 2
}
