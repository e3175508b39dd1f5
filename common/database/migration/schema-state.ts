import type { Query } from '../connection/query.ts'

/** What the database says about its own schema. */
export interface SchemaState {
  /** False before the first migration by a program that records levels, steps and programs. */
  readonly recorded: boolean
  /** The newest file of those that run as a whole, 0 before the first migration. */
  readonly whole: number
  /** The files after these that have begun, oldest first. */
  readonly levels: readonly Level[]
}

export interface Level {
  readonly version: number
  readonly oldestProgram: number
  /** Version of the release that began the file. */
  readonly release: string
  readonly finished: boolean
  /** Since its end; null before it. */
  readonly finishedSeconds: number | null
}

/**
 * `schema_migrations` holds the files that run as a whole and nothing else: release 0.2.0 compares its
 * newest row with its own version and does not start if it is greater. Later files are in
 * `schema_levels`, which 0.2.0 does not read; so 0.2.0 starts on a schema that a later release expanded.
 */
export async function createRecord(query: Query): Promise<void> {
  await query(
    'migrate_record',
    `create table if not exists schema_migrations (
      version integer primary key,
      applied_at timestamptz not null default now()
    );
    create table if not exists schema_levels (
      version integer primary key,
      oldest_program integer not null,
      release text not null,
      started_at timestamptz not null default now(),
      finished_at timestamptz
    );
    create table if not exists schema_steps (
      version integer not null references schema_levels,
      step text not null,
      -- Key of the last row of a backfill's latest batch.
      cursor text,
      done_at timestamptz,
      primary key (version, step)
    );
    create table if not exists program_seen (
      instance text primary key,
      level integer not null,
      seen_at timestamptz not null default now()
    )`,
  )
}

/** Locks nothing. */
export async function readSchema(query: Query): Promise<SchemaState> {
  const [exists] = await query<{ whole: boolean; levels: boolean }>(
    'schema_exists',
    `select to_regclass('schema_migrations') is not null as whole,
       to_regclass('schema_levels') is not null as levels`,
  )
  return {
    recorded: exists?.levels === true,
    whole: exists?.whole === true ? await readWhole(query) : 0,
    levels: exists?.levels === true ? await readLevels(query) : [],
  }
}

async function readWhole(query: Query): Promise<number> {
  const [row] = await query<{ version: number }>(
    'schema_version',
    'select coalesce(max(version), 0) as version from schema_migrations',
  )
  return row?.version ?? 0
}

function readLevels(query: Query): Promise<Level[]> {
  return query<Level>(
    'schema_levels',
    `select version, oldest_program as "oldestProgram", release, finished_at is not null as finished,
       extract(epoch from now() - finished_at)::double precision as "finishedSeconds"
     from schema_levels order by version`,
  )
}
