import { startCluster } from '../../local-cluster/cluster.ts'
import type { Cluster } from '../../local-cluster/host/types.ts'
import { startPostgres } from '../../local-cluster/servers/postgres.ts'
import type { Postgres } from '../../local-cluster/servers/postgres.ts'
import { startS3 } from '../../local-cluster/servers/s3.ts'
import type { S3 } from '../../local-cluster/servers/s3.ts'
import type { ClusterSettings } from '../../local-cluster/host/settings.ts'
import type { Say } from '../../local-cluster/host/progress.ts'
import { buildImagesAndS3 } from '../../images/build-images.ts'
import type { Images } from '../../images/build-images.ts'
import { install } from './install.ts'
import type { Installation, Values } from './install.ts'

export interface Running {
  readonly cluster: Cluster
  readonly postgres: Postgres
  readonly s3: S3
  readonly images: Images
  readonly installed: Installation
}

interface Options {
  /** Name from which addresses, ports and folders follow: instances stand beside each other. */
  readonly instance: string
  readonly namespace: string
  /** Chart values on top of what this machine needs. */
  readonly values: Values
  readonly settings: ClusterSettings
  readonly say: Say
}

/** Cluster, database, object store, images, chart: found where they run already, else started. */
export async function bringUp({
  instance,
  namespace,
  values,
  settings,
  say,
}: Options): Promise<Running> {
  const building = buildImagesAndS3({ settings, say })
  // The runner's, the largest, is loaded while the chart is installed.
  const servers = building.images.then(({ apiServer, operator }) => [apiServer, operator])
  servers.catch(() => undefined)
  const cluster = await startCluster({ instance, settings, say, images: servers })
  const { hostAddress } = cluster
  await building.s3
  const [postgres, s3] = await Promise.all([
    startPostgres({ instance, hostAddress, say }),
    startS3({ instance, hostAddress, settings, say }),
  ])
  const images = await building.images
  const installed = await install({ cluster, postgres, s3, images, namespace, values, say })
  return { cluster, postgres, s3, images, installed }
}
