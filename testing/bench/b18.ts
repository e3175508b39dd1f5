import { setTimeout as delay } from 'node:timers/promises'
import { residentMegabytes, servers, serverSeconds } from './latency/installation-figures.ts'
import { steadyLoad } from './latency/steady-load.ts'
import { pollUntilEnd, tinyCommand } from './cluster/measure-command.ts'
import { kubectl } from '../../e2e/installation/install.ts'
import { instanceOf } from '../../e2e/cluster/host/instance.ts'
import { connect } from './api/rows.ts'
import { serverStatements } from './latency/server-statements.ts'
import { customResourceName } from '../../common/domain/resource-names.ts'
import type { BenchEnvironment } from './cluster/environment.ts'
import type { Figure } from './figure/figure.ts'
import type { Say } from '../../e2e/cluster/host/progress.ts'

const idleMs = 60_000

/**
 * What an installation needs: work of the servers, of etcd and of PostgreSQL without commands, and for each short
 * command beyond that, from its submission to the deletion of its object.
 */
export async function b18(
  environment: BenchEnvironment,
  { commands }: { readonly commands: number },
  say: Say,
): Promise<Figure[]> {
  const objectBytes = await bytesOfObject(environment)
  await steadyLoad(environment, 8)
  say(`b18, without commands (${idleMs / 1_000} s)`)
  const start = await reading(environment)
  await delay(idleMs)
  const idle = between(start, await reading(environment))
  say(`b18, ${commands} commands (usually 1 s each, then 10 s)`)
  const before = await reading(environment)
  await steadyLoad(environment, commands)
  const busy = between(before, await reading(environment))
  const perSecond = (of: keyof Reading): number => idle[of] / idle.seconds
  const perCommand = (of: keyof Reading): number =>
    (busy[of] - perSecond(of) * busy.seconds) / commands
  const resident = await Promise.all(
    servers.map((server) => residentMegabytes(environment.cluster, environment.namespace, server)),
  )
  return [
    { name: 'b18.processor.idle-per-second', value: perSecond('processorMs'), unit: 'ms' },
    { name: 'b18.processor.per-command', value: perCommand('processorMs'), unit: 'ms' },
    { name: 'b18.statements.idle-per-second', value: perSecond('statements'), unit: 'per-second' },
    { name: 'b18.statements.per-command', value: perCommand('statements'), unit: 'count' },
    { name: 'b18.postgres-wal.idle-per-second', value: perSecond('postgresWal'), unit: 'bytes' },
    { name: 'b18.postgres-wal.per-command', value: perCommand('postgresWal'), unit: 'bytes' },
    { name: 'b18.postgres-size.per-command', value: busy.postgresSize / commands, unit: 'bytes' },
    { name: 'b18.etcd-wal.idle-per-second', value: perSecond('etcdWal'), unit: 'bytes' },
    { name: 'b18.etcd-wal.per-command', value: perCommand('etcdWal'), unit: 'bytes' },
    { name: 'b18.etcd-object.while-it-is-kept', value: objectBytes, unit: 'bytes' },
    ...servers.map((server, index): Figure => ({
      name: `b18.resident.${server}`,
      value: resident[index] ?? NaN,
      unit: 'MB',
    })),
  ]
}

interface Reading {
  readonly seconds: number
  readonly processorMs: number
  readonly statements: number
  readonly etcdWal: number
  readonly postgresWal: number
  readonly postgresSize: number
}

function between(before: Reading, after: Reading): Reading {
  const of = (name: keyof Reading): number => after[name] - before[name]
  return {
    seconds: of('seconds'),
    processorMs: of('processorMs'),
    statements: of('statements'),
    etcdWal: of('etcdWal'),
    postgresWal: of('postgresWal'),
    postgresSize: of('postgresSize'),
  }
}

async function reading(environment: BenchEnvironment): Promise<Reading> {
  const { cluster, namespace, instance, postgres } = environment
  const database = await connect(postgres.url(`cloud_ffmpeg_${instance}`, '127.0.0.1'))
  try {
    const { rows } = await database.query<{ wal: number; size: number }>(
      `select (pg_current_wal_lsn() - '0/0')::float8 as wal,
         pg_database_size(current_database())::float8 as size`,
    )
    const processor = await serverSeconds(cluster, namespace)
    return {
      seconds: performance.now() / 1_000,
      processorMs: servers.reduce((sum, server) => sum + processor[server], 0) * 1_000,
      statements: await serverStatements(cluster, namespace),
      etcdWal: await etcdWal(instance),
      postgresWal: rows[0]?.wal ?? NaN,
      postgresSize: rows[0]?.size ?? NaN,
    }
  } finally {
    await database.end()
  }
}

/** What etcd has written to its log since it started; other parts of the cluster count, too. */
async function etcdWal(instance: string): Promise<number> {
  const answer = await fetch(`http://${instanceOf(instance).loopbackAddress}:2379/metrics`)
  const value = /^etcd_disk_wal_write_bytes_total (\S+)$/m.exec(await answer.text())?.[1]
  if (value === undefined) throw new Error('etcd does not show etcd_disk_wal_write_bytes_total')
  return Number(value)
}

/** The ended object as etcd holds it, which is JSON. */
async function bytesOfObject({ client, cluster, namespace }: BenchEnvironment): Promise<number> {
  const { command_id } = await client.submit(tinyCommand)
  await pollUntilEnd(client, command_id)
  const path = `/apis/cloudffmpeg.dev/v1alpha1/namespaces/${namespace}/ffmpegcommands`
  const text = await kubectl(cluster, ['get', '--raw', `${path}/${customResourceName(command_id)}`])
  return Buffer.byteLength(text.trim())
}
