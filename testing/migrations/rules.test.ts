import { expect } from 'chai'
import {
  lastWhole,
  migrationFiles,
  parseMigration,
} from '../../common/database/migration/migration-files.ts'
import { laterFiles } from '../support/migrations.ts'
import { migrationMistakes } from './rules.ts'

const fileOf = (sql: string, phase = 'expand') =>
  parseMigration('0009_x.sql', `-- phase: ${phase}\n-- oldest: 8\n-- step: one\n${sql}`)
const mistakesOf = (sql: string, phase?: string) => migrationMistakes([fileOf(sql, phase)])

describe('the migrations', () => {
  it('after the first ones keep the rules of online migrations', async () => {
    const files = (await migrationFiles()).filter(({ version }) => version > lastWhole)
    expect(files).not.to.deep.equal([])
    expect(migrationMistakes(files)).to.deep.equal([])
  })

  it('have a number each', async () => {
    const versions = (await migrationFiles()).map(({ version }) => version)
    expect(new Set(versions)).to.have.property('size', versions.length)
  })

  const refused: [sql: string, mistake: RegExp][] = [
    ['create index a on commands (x)', /must be created CONCURRENTLY/],
    ['create unique index a on commands (x)', /must be created CONCURRENTLY/],
    ['create index concurrently if not exists a on commands (x)', /without IF NOT EXISTS/],
    [
      "create index concurrently a on commands (x); comment on index a is ''",
      /only one of its step/,
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
    ['alter table commands drop column x', /contract file/],
    ['alter table commands rename column x to y', /contract file/],
    ['alter table commands set unlogged', /not an action/],
    ['drop index concurrently if exists a', /not allowed in a file of the phase expand/],
    ["update commands set x = 1 where y = ';'", /not allowed/],
    ['insert into commands values (1)', /not allowed/],
    ['lock table commands', /not allowed/],
    ['vacuum full commands', /not allowed/],
    ["set local lock_timeout = '1h'", /not allowed/],
    ['-- nothing', /no statement/],
  ]
  for (const [sql, mistake] of refused) {
    it(`are refused when they say '${sql.slice(0, 70)}'`, () => {
      expect(mistakesOf(sql)).to.have.length(1)
      expect(mistakesOf(sql)[0])
        .to.match(/^9: step one: /)
        .and.match(mistake)
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
    it(`are accepted when they say '${sql.slice(0, 70)}'`, () => {
      expect(mistakesOf(sql)).to.deep.equal([])
    })
  }

  it('must go by key and batch in a backfill', () => {
    expect(mistakesOf('update commands set x = 1', 'backfill')).to.have.length(4)
    const [, backfill, contract] = laterFiles()
    expect(backfill?.phase).to.equal('backfill')
    expect([backfill, contract].flatMap((file) => (file ? migrationMistakes([file]) : []))).to.eql(
      [],
    )
  })

  it('must drop an index concurrently in a contract file', () => {
    expect(mistakesOf('drop index a', 'contract')[0]).to.match(/concurrently if exists/)
    expect(mistakesOf('drop table a', 'contract')).to.deep.equal([])
  })

  it('must let the release before run', () => {
    const file = (oldest: number, phase: string) =>
      parseMigration(
        '0009_x.sql',
        `-- phase: ${phase}\n-- oldest: ${oldest}\n-- step: a\ndrop table t`,
      )
    expect(migrationMistakes([file(9, 'contract')])[0]).to.match(/rollback by one version/)
    expect(migrationMistakes([file(9, 'expand')])[0]).to.match(/release before must run/)
    expect(migrationMistakes([file(8, 'contract'), file(7, 'contract')])).to.deep.equal([
      `9: 'oldest' must not fall; it is 8 before`,
    ])
  })

  const unreadable: [text: string, problem: RegExp][] = [
    ['select 1', /must say '-- phase/],
    ['-- phase: expand\nselect 1', /must say '-- oldest/],
    ['-- phase: expand\n-- oldest: 10\n-- step: a\n', /N from 1 to 9/],
    ['-- phase: expand\n-- oldest: 8\nselect 1', /must have a step/],
    ['-- phase: expand\n-- oldest: 8\n-- step: a b\n', /not the name of a step/],
    ['-- phase: expand\n-- oldest: 8\n-- step: a\n\n-- step: a\n', /same name/],
  ]
  for (const [text, problem] of unreadable) {
    it(`cannot be read when the text is '${text.replaceAll('\n', ' ')}'`, () => {
      expect(() => parseMigration('0009_x.sql', text)).to.throw(problem)
    })
  }
})
