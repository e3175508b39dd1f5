import { appendFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { runCommand } from '../host/run-command.ts'
import { waitFor } from '../host/wait-for.ts'
import type { Postgres } from './postgres.ts'

/** A physical backup of the story's database server, with an archive of its write-ahead log since then. */
export interface BaseBackup {
  /** Names this point in time. */
  mark(name: string): Promise<void>
  /** Stops the server, replaces its data, and recovers to the point. */
  restoreTo(name: string): Promise<void>
  remove(): Promise<void>
}

/** The server restarts, since the archive is off by default. */
export async function takeBaseBackup(postgres: Postgres): Promise<BaseBackup> {
  const [data = '', copy = '', archive = ''] = ['data', 'backup', 'archive'].map((name) =>
    path.join(postgres.folder, name),
  )
  const { uid, gid } = await stat(data)
  const owner = `${uid}:${gid}`
  for (const folder of [copy, archive]) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
    await runCommand('chown', [owner, folder])
  }
  await sql('alter system set archive_mode = on')
  await sql(`alter system set archive_command = 'cp %p ${archive}/%f'`)
  await postgres.restart()
  await connected(async (client) => {
    await client.query(`select pg_backup_start('story', fast => true)`)
    // Files that change meanwhile are in the log.
    await runCommand('/bin/sh', ['-c', copyFiles, data, copy])
    const { rows } = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop()',
    )
    await writeFile(path.join(copy, 'backup_label'), rows[0]?.label ?? '')
  })

  return {
    async mark(name) {
      await sql(`select pg_create_restore_point('${name}')`)
      await sql('select pg_switch_wal()')
    },
    async restoreTo(name) {
      await postgres.stop()
      await rm(data, { recursive: true })
      await rename(copy, data)
      await writeFile(path.join(data, 'recovery.signal'), '')
      await appendFile(
        path.join(data, 'postgresql.auto.conf'),
        [
          `restore_command = 'cp ${archive}/%f %p'`,
          `recovery_target_name = '${name}'`,
          `recovery_target_action = 'promote'\n`,
        ].join('\n'),
      )
      await runCommand('chown', ['-R', owner, data])
      await postgres.restart()
      await waitFor(
        async () => {
          const [row] = await sql('select pg_is_in_recovery() as recovers')
          return row?.['recovers'] === false
        },
        { what: 'the database to recover' },
      )
    },
    async remove() {
      for (const name of changedSettings) await sql(`alter system reset ${name}`)
      await postgres.restart()
      for (const folder of [copy, archive]) await rm(folder, { recursive: true, force: true })
    },
  }

  function sql(text: string): Promise<Record<string, unknown>[]> {
    return connected(async (client) => (await client.query<Record<string, unknown>>(text)).rows)
  }

  async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: postgres.url('postgres') })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
}

/** Settings of the server that a backup and a recovery change. */
const changedSettings = [
  'archive_mode',
  'archive_command',
  'restore_command',
  'recovery_target_name',
  'recovery_target_action',
]

/** Copies $0 to $1. A file that is deleted meanwhile is not missed. */
const copyFiles = `tar -C "$0" --exclude='./pg_wal/*' --exclude=./postmaster.pid --ignore-failed-read \\
  --warning=no-file-changed -cf - . | tar -C "$1" -xpf -`
