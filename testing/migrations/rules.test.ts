import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { migrationNames } from '../../common/database/migration/migration-names.ts'
import { migrationMistakes } from './rules.ts'

const folder = new URL('../../common/database/migrations/', import.meta.url)

describe('the migrations', () => {
  it('the migrations keep the rules of online migrations, and have a number each', async () => {
    const names = await migrationNames()
    for (const name of names) {
      const text = await readFile(new URL(`${name}.sql`, folder), 'utf8')
      expect(migrationMistakes(text), name).to.deep.equal([])
    }
    const numbers = names.map((name) => /^\d{4}(?=_[a-z_]+$)/.exec(name)?.[0])
    expect(new Set(numbers)).to.have.property('size', names.length)
    expect(numbers).not.to.include(undefined)
  })

  const refused: [sql: string, mistake: RegExp][] = [
    ['create index a on commands (x)', /must be created CONCURRENTLY/],
    ['create unique index a on commands (x)', /must be created CONCURRENTLY/],
    ['create index concurrently if not exists a on commands (x)', /without IF NOT EXISTS/],
    [
      "create index concurrently a on commands (x); comment on index a is ''",
      /only one of its file/,
    ],
    ['alter table commands add column x int generated always as (1) stored', /generated/],
    ['alter table commands add column x bigserial', /serial/],
    ['alter table commands add column x uuid default gen_random_uuid()', /must be a constant/],
    ['alter table commands add x timestamptz not null default clock_timestamp()', /constant/],
    ['alter table commands add column x int not null', /must be null or have a default/],
    ['alter table commands add column x int check (x > 0)', /NOT VALID/],
    ['alter table commands add column x uuid references accounts', /NOT VALID/],
    ['alter table commands add column y int, alter column x type bigint', /type must not change/],
    ['alter table commands alter x set data type bigint', /type must not change/],
    ['alter table commands alter x set not null', /unless a check/],
    ['alter table commands add constraint a check (x > 0)', /NOT VALID/],
    ['alter table commands add constraint a foreign key (x) references accounts', /NOT VALID/],
    ['alter table commands add constraint a unique (x)', /USING INDEX/],
    ['alter table commands drop column x', /-- contract/],
    ['alter table commands rename column x to y', /-- contract/],
    ['alter table commands set unlogged', /not an action/],
    ['drop index concurrently if exists a', /not allowed/],
    ["update commands set x = 1 where y = ';'", /not allowed/],
    ['insert into commands values (1)', /not allowed/],
    ['lock table commands', /not allowed/],
    ['vacuum full commands', /not allowed/],
    ["set local lock_timeout = '1h'", /not allowed/],
    ['-- nothing', /no statement/],
  ]
  for (const [sql, mistake] of refused) {
    it(`a migration is refused when it says '${sql.slice(0, 70)}'`, () => {
      expect(migrationMistakes(sql)).to.have.length(1)
      expect(migrationMistakes(sql)[0]).to.match(mistake)
    })
  }

  const accepted = [
    'create table t (x int generated always as (1) stored); create index a on t (x)',
    "alter table commands add column x int not null default 0, add column y text default '{}'::text[]",
    'alter table commands add column x timestamptz not null default now()',
    'alter table commands add constraint a check (x in (1, 2)) not valid',
    'alter table commands validate constraint a; alter table commands alter x set not null',
    'alter table commands add constraint a unique using index b',
    'create function f() returns trigger language plpgsql as $$ begin update x set y = 1; end $$',
    'create constraint trigger a after insert on t deferrable for each row execute function f()',
    '/* drop table commands; */ create unique index concurrently a on commands (x)',
  ]
  for (const sql of accepted) {
    it(`a migration is accepted when it says '${sql.slice(0, 70)}'`, () => {
      expect(migrationMistakes(sql)).to.deep.equal([])
    })
  }

  it('migrations remove in a contract file alone, an index concurrently', () => {
    expect(migrationMistakes('-- contract\ndrop table a')).to.deep.equal([])
    expect(migrationMistakes('-- contract\nalter table a drop column b')).to.deep.equal([])
    expect(migrationMistakes('-- contract\ndrop index a')[0]).to.match(/concurrently if exists/)
  })
})
