import { rm } from 'node:fs/promises'
import { stopCluster } from './cluster.ts'
import type { StartOptions } from './host/types.ts'
import { instanceOf } from './host/instance.ts'
import { removeSystemGroup } from './local/cgroups.ts'
import { stopPostgres } from './servers/postgres.ts'
import { stopS3 } from './servers/s3.ts'

/** Ends everything of an instance (PostgreSQL, S3, cluster) and deletes its state. The cache stays. */
export async function stopInstance(
  options: Pick<StartOptions, 'instance' | 'settings' | 'say'>,
): Promise<void> {
  const { instance } = options
  await Promise.all([
    stopPostgres({ instance, remove: true }),
    stopS3({ instance, remove: true }),
    stopCluster(options),
  ])
  await removeSystemGroup(instanceOf(instance))
  await rm(instanceOf(instance).runFolder, { recursive: true, force: true })
}
