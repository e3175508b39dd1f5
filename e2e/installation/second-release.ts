import { randomUUID } from 'node:crypto'
import type { Cluster } from '../../local-cluster/host/types.ts'
import type { Postgres } from '../../local-cluster/servers/postgres.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import type { S3 } from '../../local-cluster/servers/s3.ts'
import { ensureNamespace, helmUpgrade, kubectl, merge } from './install.ts'
import type { Installation, Values } from './install.ts'

/** A release beside the first one, in a namespace of its own, with its own database and bucket. */
export interface SecondRelease {
  readonly namespace: string
  readonly databaseUrl: string
  /** Installs it, or upgrades it with other values. */
  upgrade(values?: Values): Promise<void>
  /** @returns both outputs: the words of hooks come on the second */
  helm(...args: string[]): Promise<string>
  kubectl(...args: string[]): Promise<string>
  apply(...objects: object[]): Promise<string>
  applyTo(namespace: string, ...objects: object[]): Promise<string>
}

export async function createSecondRelease(
  options: {
    readonly cluster: Cluster
    readonly postgres: Postgres
    readonly s3: S3
    readonly installed: Installation
  },
  values: Values,
  namespace = 'second',
): Promise<SecondRelease> {
  const { cluster, postgres, s3, installed } = options
  const bucket = `${installed.bucket}-${namespace}`
  await s3.createBucket(bucket, { publicPrefix: 'public/' })
  // Each run gets its own database: commands of an earlier run would go on in it.
  const databaseUrl = await postgres.createDatabase(`cloud_ffmpeg_${randomUUID()}`)
  const { apiServer } = installed.values
  const own = {
    ...installed.values,
    // The fixed NodePort is that of the first release.
    apiServer: { ...(apiServer as Values), service: { type: 'ClusterIP' } },
    crds: { install: false },
  }
  const all = merge(
    merge(own, { database: { url: databaseUrl }, storage: { bucket, cors: { apply: false } } }),
    values,
  )
  const applyTo = (at: string, ...items: object[]): Promise<string> => {
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
    return kubectl(cluster, ['-n', at, 'apply', '-f', '-'], list)
  }
  return {
    namespace,
    databaseUrl,
    async upgrade(more = {}) {
      await ensureNamespace(cluster, namespace)
      await helmUpgrade(cluster, namespace, merge(all, more))
    },
    helm: (...args) =>
      runCommand(
        '/bin/sh',
        ['-c', 'exec "$0" "$@" 2>&1', cluster.helm, '--namespace', namespace, ...args],
        { env: { KUBECONFIG: cluster.kubeconfig } },
      ),
    kubectl: (...args) => kubectl(cluster, ['-n', namespace, ...args]),
    apply: (...items) => applyTo(namespace, ...items),
    applyTo,
  }
}
