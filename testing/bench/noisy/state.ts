import { storedBytes } from '../../../common/kubernetes/stored-bytes.ts'
import { kubectl } from '../../../e2e/installation/install.ts'
import { residentMegabytes } from '../latency/installation-figures.ts'
import type { Database } from '../../../common/database/connection/query.ts'
import type { BenchEnvironment } from '../cluster/environment.ts'

/** What the accounts have left in the installation. */
export interface State {
  readonly etcdMbytes: number
  readonly apiServerMbytes: number
  readonly operatorMbytes: number
  /** All tables with their indexes. */
  readonly tablesMbytes: number
  /** Commands and files that have not ended. */
  readonly unfinished: number
  /** Webhooks that are still to be tried. */
  readonly pendingWebhooks: number
  /** FfmpegCommands and StoredFiles that exist. */
  readonly resources: number
  /** The largest of them, as etcd stores it; 0 of none. */
  readonly largestResourceBytes: number
}

export async function readState(environment: BenchEnvironment, database: Database): Promise<State> {
  const { cluster, namespace } = environment
  const metrics = await kubectl(cluster, ['get', '--raw', '/metrics'])
  const etcd = Number(/^apiserver_storage_size_bytes\{[^}]*\} (\S+)$/m.exec(metrics)?.[1])
  const [total] = await database.query<Totals>('bench_totals', readTotals)
  if (total === undefined) throw new Error('the database returned no totals')
  const sizes = await resourceSizes(environment)
  return {
    etcdMbytes: etcd / 1_048_576,
    apiServerMbytes: await residentMegabytes(cluster, namespace, 'api-server'),
    operatorMbytes: await residentMegabytes(cluster, namespace, 'operator'),
    tablesMbytes: total.bytes / 1_048_576,
    unfinished: total.unfinished,
    pendingWebhooks: total.webhooks,
    resources: sizes.length,
    largestResourceBytes: Math.max(0, ...sizes),
  }
}

interface Totals {
  readonly bytes: number
  readonly unfinished: number
  readonly webhooks: number
}

const readTotals = `
  select
    (select sum(pg_total_relation_size(relid))::double precision from pg_stat_user_tables) as bytes,
    (select count(*)::integer from commands where finished_at is null) as unfinished,
    (select count(*)::integer from webhook_deliveries where status = 'PENDING') as webhooks`

async function resourceSizes({ cluster, namespace }: BenchEnvironment): Promise<number[]> {
  const text = await kubectl(cluster, [
    '-n',
    namespace,
    'get',
    'ffc,sfile',
    '-o',
    'json',
    '--show-managed-fields',
  ])
  const { items } = JSON.parse(text) as { items: unknown[] }
  return items.map(storedBytes)
}
