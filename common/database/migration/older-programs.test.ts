import { expect } from 'chai'
import { ageDatabase, openTestDatabase } from '../../../testing/support/database.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createOlderPrograms } from './older-programs.ts'
import { announceProgram } from './program-seen.ts'

describe('older programs', () => {
  let opened: TestDatabase
  beforeEach(async () => {
    opened = await openTestDatabase()
  })
  afterEach(() => opened.close())

  const olderPrograms = () => {
    const clock = createVirtualClock()
    return { clock, ...createOlderPrograms({ query: opened.database.query, clock }) }
  }

  it('do not run on a new database', async () => {
    expect(await olderPrograms().mayRun(9)).to.equal(false)
  })

  it('expects older programs until an hour after the last one was seen', async () => {
    const { query } = opened.database
    await announceProgram(query, { instance: 'operator/old/1', level: 9 })
    await announceProgram(query, { instance: 'operator/new/1', level: 12 })
    expect(await olderPrograms().mayRun(9)).to.equal(false)
    expect(await olderPrograms().mayRun(10)).to.equal(true)
    await ageDatabase(opened.database, 3_700)
    expect(await olderPrograms().mayRun(10)).to.equal(false)
  })

  it('expects older programs for an hour after the migration from a release whose programs record nothing', async () => {
    const { query } = opened.database
    await query(
      'age_whole_files',
      `update schema_migrations set applied_at = applied_at - interval '1 day'`,
    )
    expect(await olderPrograms().mayRun(9)).to.equal(true)
    await ageDatabase(opened.database, 3_700)
    expect(await olderPrograms().mayRun(9)).to.equal(false)
  })

  it('are read from the database every 30 seconds', async () => {
    const { clock, ...programs } = olderPrograms()
    expect(await programs.mayRun(9)).to.equal(false)
    const { query } = opened.database
    await announceProgram(query, { instance: 'operator/old/1', level: 8 })
    await clock.advance(29_000)
    expect(await programs.mayRun(9)).to.equal(false)
    await clock.advance(2_000)
    expect(await programs.mayRun(9)).to.equal(true)
  })
})
