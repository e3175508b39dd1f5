import { expect } from 'chai'
import { Registry } from 'prom-client'
import { useResource, rejectionOf } from '../../../testing/support/mocha.ts'
import { DatabaseUnavailable } from '../../store/health.ts'
import { systemClock } from '../../runtime/system-effects.ts'
import { createPool } from './pool.ts'
import { createPoolMetrics } from './pool-metrics.ts'
import { patienceMs } from '../../../testing/support/until.ts'
import { openTestDatabase, testPool } from '../../../testing/support/database.ts'

describe('createPool', () => {
  const opened = useResource(openTestDatabase)

  it('rejects with DatabaseUnavailable while nothing listens on the port', async () => {
    const pool = testPool('postgres://unused@127.0.0.1:1/none')
    expect(await rejectionOf(pool.query('x', 'select 1'))).to.be.instanceOf(DatabaseUnavailable)
    const transaction = pool.transaction((query) => query('x', 'select 1'))
    expect(await rejectionOf(transaction)).to.be.instanceOf(DatabaseUnavailable)
    await pool.close()
  })

  it('rejects with DatabaseUnavailable when a connection closes during a statement, then reconnects', async () => {
    const pool = testPool(opened.connectionString)
    const cut = rejectionOf(
      pool.transaction(async (query) => {
        const [self] = await query<{ pid: number }>('pid', 'select pg_backend_pid() as pid')
        await opened.database.query('cut', 'select pg_terminate_backend($1)', [self?.pid])
        await query('x', 'select 1')
      }),
    )
    expect(await cut).to.be.instanceOf(DatabaseUnavailable)
    expect(await pool.query('one', 'select 1 as one')).to.deep.equal([{ one: 1 }])
    await pool.close()
  })

  it('the pool survives the loss of an idle connection', async () => {
    const pool = testPool(opened.connectionString)
    const [self] = await pool.query<{ pid: number }>('pid', 'select pg_backend_pid() as pid')
    await opened.database.query('cut', 'select pg_terminate_backend($1)', [self?.pid])
    await rejectionOf(pool.query('one', 'select 1 as one'))
    expect(await pool.query('one', 'select 1 as one')).to.deep.equal([{ one: 1 }])
    await pool.close()
  })

  it('connects with the connection string of the moment, and keeps its connections when that changes', async () => {
    const { query } = opened.database
    await query('role', `create role rotated login password 'second'`)
    const rotated = new URL(opened.connectionString)
    rotated.username = 'rotated'
    let connectionString = opened.connectionString
    const pool = createPool({
      connectionString: () => connectionString,
      maxConnections: 2,
      applicationName: 'test',
      statementTimeoutMs: patienceMs,
      connectionTimeoutMs: patienceMs,
      clock: systemClock,
      metrics: createPoolMetrics(new Registry()),
    })
    const asked = 'select current_user::text as name'
    const [first] = await pool.query<{ name: string }>('who', asked)
    connectionString = rotated.href
    const second = await pool.transaction(async (inFirst) => {
      expect(await inFirst('who', asked)).to.deep.equal([first])
      return pool.query('who', asked)
    })
    expect(second).to.deep.equal([{ name: 'rotated' }])
    await pool.close()
    await query('role', 'drop role rotated')
  })

  it('ends a statement that takes too long', async () => {
    const pool = createPool({
      connectionString: opened.connectionString,
      maxConnections: 1,
      applicationName: 'test',
      statementTimeoutMs: 50,
      clock: systemClock,
      metrics: createPoolMetrics(new Registry()),
    })
    const error = await rejectionOf(pool.query('slow', 'select pg_sleep(30)'))
    expect(error).to.be.instanceOf(DatabaseUnavailable)
    await pool.close()
  })

  it('gives the statements of one transaction a longer timeout when the caller sets one', async () => {
    const pool = createPool({
      connectionString: opened.connectionString,
      maxConnections: 1,
      applicationName: 'test',
      statementTimeoutMs: 30_000,
      clock: systemClock,
      metrics: createPoolMetrics(new Registry()),
    })
    const timeout = `select current_setting('statement_timeout') as timeout`
    const long = pool.transaction((query) => query('timeout', timeout), { statementMs: 3_600_000 })
    expect(await long).to.deep.equal([{ timeout: '1h' }])
    const next = await pool.transaction((query) => query('timeout', timeout))
    expect(next, 'of the same connection').to.deep.equal([{ timeout: '30s' }])
    await pool.close()
  })

  it('reads times with their microseconds', async () => {
    const [row] = await opened.database.query<Record<string, Date>>(
      'times',
      `select '2026-05-19T18:15:20.349538Z'::timestamptz as six,
         '2026-05-19T18:15:20.3Z'::timestamptz as one,
         '2026-05-19T18:15:20Z'::timestamptz as none`,
    )
    expect(Object.values(row ?? {}).map((time) => time.toISOString())).to.deep.equal([
      '2026-05-19T18:15:20.349538Z',
      '2026-05-19T18:15:20.300000Z',
      '2026-05-19T18:15:20.000000Z',
    ])
    expect(row?.['six']?.getTime()).to.equal(Date.parse('2026-05-19T18:15:20.349Z'))
  })

  it("rejects with pg's own error for a wrong statement", async () => {
    const error = await rejectionOf(opened.database.query('wrong', 'select nonsense'))
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(DatabaseUnavailable)
  })

  it('rolls a transaction back when its work fails', async () => {
    const { database } = opened
    await database.query('table', 'create table if not exists rolled (n integer)')
    const failing = database.transaction(async (query) => {
      await query('insert', 'insert into rolled values ($1)', [1])
      throw new Error('stop')
    })
    expect(await rejectionOf(failing)).to.have.property('message', 'stop')
    expect(await database.query('rolled', 'select * from rolled')).to.deep.equal([])
  })
})
