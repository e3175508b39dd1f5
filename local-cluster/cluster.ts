import { startKindCluster, stopKindCluster } from './kind/kind-cluster.ts'
import { useKubeconfigCluster } from './kubeconfig/kubeconfig-cluster.ts'
import { chosenProvider } from './host/choose-provider.ts'
import { instanceOf } from './host/instance.ts'
import { startLocalCluster } from './local/start-local-cluster.ts'
import { lockFile, stopLocalCluster } from './local/stop-local-cluster.ts'
import { withLock } from './tools/lock.ts'
import { rm } from 'node:fs/promises'
import { removeSystemGroup } from './local/cgroups.ts'
import { stopPostgres } from './servers/postgres.ts'
import { stopS3 } from './servers/s3.ts'
import type { Cluster, StartOptions } from './host/types.ts'

/**
 * Starts the cluster of an instance, or finds the running one.
 *
 * @throws NoCluster where none can be had; its message says what is missing and how to get it.
 */
export async function startCluster(options: StartOptions): Promise<Cluster> {
  switch (await chosenProvider(options.settings)) {
    case 'local':
      return startLocalCluster(options)
    case 'kind':
      return withImages(await startKindCluster(options), options)
    case 'kubeconfig':
      return withImages(await useKubeconfigCluster(options), options)
  }
}

async function withImages(cluster: Cluster, { images }: StartOptions): Promise<Cluster> {
  const archived = (await images?.catch(() => undefined)) ?? []
  for (const { archive, name } of archived) await cluster.loadImage(archive, name)
  return cluster
}

/** Ends and removes the cluster of an instance from any state. A user's own cluster is left alone. */
export async function stopCluster(options: Omit<StartOptions, 'fresh' | 'images'>): Promise<void> {
  const instance = instanceOf(options.instance)
  switch (await chosenProvider(options.settings)) {
    case 'local': {
      const onWait = () => options.say(`another process starts or stops ${instance.name}, waiting`)
      return withLock(lockFile(instance), onWait, () => stopLocalCluster(instance))
    }
    case 'kind':
      return stopKindCluster(instance)
    case 'kubeconfig':
  }
}

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
