import { expect } from 'chai'
import { ageDatabase, openTestDatabase } from '../../../testing/support/database.ts'
import { rejectionOf } from '../../../testing/support/mocha.ts'
import { stillEffects } from '../../../testing/support/still-effects.ts'
import { crashingEffects, filesUpTo, laterFiles } from '../../../testing/support/migrations.ts'
import { contract } from './contract.ts'
import { migrationFiles } from './migration-files.ts'
import { migrate } from './migrate.ts'
import { migrationStatus } from './migration-status.ts'
import { announceProgram } from './program-seen.ts'
import { checkSchema, levelOf, neededSchema, NewerSchema } from './schema-check.ts'
import type { Database } from '../connection/query.ts'
import type { Migration } from './migration-files.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'

const program = (files: readonly Migration[], needs = 8) => ({
  files,
  needs,
  level: levelOf(files),
})

describe('a program', () => {
  let opened: TestDatabase
  let database: Database
  let files: Migration[]
  const effects = stillEffects()
  beforeEach(async () => {
    opened = await openTestDatabase()
    ;({ database } = opened)
    files = [...(await filesUpTo(9)), ...laterFiles()]
  })
  afterEach(() => opened.close())

  const check = (of: readonly Migration[], needs?: number) =>
    rejectionOf(checkSchema(database.query, program(of, needs)))
  const expand = (release = '1.0.0') => migrate({ database, effects, release, files })
  const contractBy = (release: string) => contract({ database, effects, release, files })
  const older = () => filesUpTo(9)

  it('starts on the schema of the next release, migrates nothing and serves', async () => {
    await expand()
    const of = await older()
    const result = await migrate({ database, effects, release: '0.9.0', files: of })
    expect(result).to.deep.equal({ from: 102, to: 102 })
    expect(await check(of)).to.equal(null)
  })

  it('serves on the old schema while its own migration is under way', async () => {
    const before = await openTestDatabase(neededSchema)
    const { query } = before.database
    const all = [...(await migrationFiles()), ...laterFiles()]
    await checkSchema(query, program(all, neededSchema))
    const crash = crashingEffects(3, 'after')
    await rejectionOf(migrate({ ...before, effects: crash, release: '1.0.0', files: all }))
    expect(crash.met()).to.equal(3)
    await checkSchema(query, program(all, neededSchema))
    await before.close()
  })

  it('waits for the expand and backfill files that its statements need', async () => {
    const early: unknown = await check(files, 102)
    expect(early).to.have.property('name', 'DatabaseUnavailable')
    await expand()
    expect(await check(files, 102)).to.equal(null)
  })

  it('is refused, also by its migration, when a newer program has contracted the schema', async () => {
    await expand()
    await ageDatabase(database, 3_700)
    // The exclusion comes before the first step, so a crash between two steps keeps it.
    const crash = crashingEffects(1, 'after')
    await rejectionOf(contract({ database, effects: crash, release: '2.0.0', files }))
    const of = await older()
    expect(await check(of)).to.be.instanceOf(NewerSchema)
    expect(await check(of))
      .to.have.property('message')
      .match(/level 102 or newer, .* has level 9:/)
    const refused = await rejectionOf(migrate({ database, effects, release: '0.9.0', files: of }))
    expect(refused).to.be.instanceOf(NewerSchema)
    expect(await contractBy('2.0.0')).to.deep.equal([103])
    expect(await check(files, 102)).to.equal(null)
  })

  it('cannot contract the schema in the release that expanded it, nor within an hour', async () => {
    await expand('1.0.0')
    expect(await rejectionOf(contractBy('1.0.0')))
      .to.have.property('message')
      .match(/release 1.0.0 brought level 102/)
    expect(await rejectionOf(contractBy('1.1.0')))
      .to.have.property('message')
      .match(/level 102 is younger than an hour/)
    await ageDatabase(database, 3_700)
    expect(await contractBy('1.1.0')).to.deep.equal([103])
    expect(await contractBy('1.1.0')).to.deep.equal([])
  })

  it('cannot contract the schema while an older program was seen within an hour', async () => {
    await expand('1.0.0')
    await ageDatabase(database, 3_700)
    await announceProgram(database.query, { instance: 'operator/old/1', level: 9 })
    await announceProgram(database.query, { instance: 'operator/new/1', level: 103 })
    expect(await rejectionOf(contractBy('1.1.0')))
      .to.have.property('message')
      .match(/must wait: operator\/old\/1 has level 9 and was seen \d+ s ago/)
    const { migrations } = await migrationStatus({ database, files, release: '1.1.0' })
    expect(migrations.at(-1)).to.deep.include({ version: 103, state: 'pending' })
    expect(migrations.at(-1)?.blockedBy).to.have.length(1)
    expect(await check(await older())).to.equal(null)
    await ageDatabase(database, 3_700)
    expect(await contractBy('1.1.0')).to.deep.equal([103])
  })

  it('cannot contract the schema before the files in front of it are finished', async () => {
    await migrate({ database, effects, release: '1.0.0', files }, 101)
    expect(await rejectionOf(contractBy('1.1.0')))
      .to.have.property('message')
      .match(/migration 102 is not finished/)
  })

  it('resumes a contract file after a crash between any two steps', async () => {
    for (let at = 1; ; at += 1) {
      const hit = await openTestDatabase()
      await migrate({ ...hit, effects, release: '1.0.0', files })
      await ageDatabase(hit.database, 3_700)
      const crash = crashingEffects(at, 'after')
      await rejectionOf(contract({ ...hit, effects: crash, release: '1.1.0', files }))
      await contract({ ...hit, effects, release: '1.1.0', files })
      const columns = await hit.database.query('columns', 'select ran from numbers limit 1')
      expect(columns).to.have.length(1)
      await hit.close()
      if (crash.met() < at) return
    }
  })

  it('announces itself without a table for it, and forgets instances after a week', async () => {
    const { query } = database
    const seen = () => query('instances', 'select instance from program_seen order by 1')
    await announceProgram(query, { instance: 'a', level: 9 })
    await ageDatabase(database, 8 * 86_400)
    await announceProgram(query, { instance: 'b', level: 9 })
    await announceProgram(query, { instance: 'b', level: 9 })
    expect(await seen()).to.deep.equal([{ instance: 'b' }])
    await query('drop', 'drop table program_seen')
    await announceProgram(query, { instance: 'a', level: 9 })
  })
})
