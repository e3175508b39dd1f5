import { expect } from 'chai'
import { ageDatabase, openTestDatabase } from './database.ts'
import { useResource } from './mocha.ts'

describe('the time of a test database', () => {
  const opened = useResource(openTestDatabase)

  it('the time of the database stands still while statements run, and keeps the order of rows', async () => {
    const { query } = opened.database
    const now = async () => {
      const [row] = await query<{ now: string }>('now', 'select now()::text from pg_sleep(0.002)')
      return row?.now
    }
    expect(await now()).to.equal(await now())
    for (const name of ['first', 'second']) {
      const add = `insert into accounts (account_id, name, plan) values (gen_random_uuid(), $1, 'pro')`
      await query('add', add, [name])
    }
    const names = 'select name from accounts order by created_at'
    expect(await query('names', names)).to.deep.equal([{ name: 'first' }, { name: 'second' }])
  })

  it('the time of the database passes by as much as the test ages what is there', async () => {
    const { query } = opened.database
    await ageDatabase(opened.database, 60)
    const [row] = await query<{ age: number }>(
      'age',
      'select floor(extract(epoch from now() - max(created_at)))::integer as age from accounts',
    )
    expect(row?.age).to.equal(60)
  })
})
