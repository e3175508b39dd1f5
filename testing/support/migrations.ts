// Test support: migration files of a test's own, and effects that crash between two steps.
import { stillEffects } from './still-effects.ts'
import { migrationFiles, parseMigration } from '../../common/database/migration/migration-files.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Migration } from '../../common/database/migration/migration-files.ts'
import type { Query } from '../../common/database/connection/query.ts'

/** The files of this program up to a version. */
export async function filesUpTo(version: number): Promise<Migration[]> {
  return (await migrationFiles()).filter((file) => file.version <= version)
}

/** Three files as later releases would bring them, on a table `numbers (id, twice)`. */
export function laterFiles(): Migration[] {
  return [
    parseMigration(
      '0101_expand.sql',
      `-- phase: expand
-- oldest: 9
-- step: numbers
create table numbers (id integer primary key, runs integer not null default 0);
insert into numbers select generate_series(1, 2500);
-- step: twice
alter table numbers add column twice integer;
-- step: counted
update numbers set runs = runs + 1 where id = 1;
-- step: numbers_by_twice
create index concurrently numbers_by_twice on numbers (twice);
`,
    ),
    parseMigration(
      '0102_backfill.sql',
      `-- phase: backfill
-- oldest: 9
-- step: twice
with page as (
  select id from numbers where id > coalesce($1::integer, 0) order by id limit $2
), filled as (
  update numbers n set twice = 2 * n.id, runs = runs + 1 from page where n.id = page.id
)
select max(id)::text as cursor from page;
`,
    ),
    parseMigration(
      '0103_contract.sql',
      `-- phase: contract
-- oldest: 102
-- step: numbers_by_twice
drop index concurrently if exists numbers_by_twice;
-- step: runs
alter table numbers rename column runs to ran;
`,
    ),
  ]
}

export class Crash extends Error {
  override readonly name = 'Crash'
}

/** Effects that throw before or after the effect of the n-th failpoint, and count those that were met. */
export function crashingEffects(at: number, when: 'before' | 'after'): Effects & { met(): number } {
  let met = 0
  return {
    ...stillEffects(),
    met: () => met,
    async failpoint(_name, effect) {
      met += 1
      const crashes = met === at
      if (crashes && when === 'before') throw new Crash()
      const result = await effect()
      if (crashes) throw new Crash()
      return result
    },
  }
}

/** All tables, columns, indexes and constraints, as text, and whether each index is valid. */
export async function schemaText(query: Query): Promise<string[]> {
  const rows = await query<{ line: string }>(
    'schema_text',
    `select format('%s.%s %s', table_name, column_name, data_type) as line
       from information_schema.columns where table_schema = 'public'
     union all select format('%s %s', pg_get_indexdef(indexrelid), indisvalid) from pg_index
       join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
     union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
       where connamespace = 'public'::regnamespace
     order by 1`,
  )
  return rows.map(({ line }) => line)
}
