import { expect } from 'chai'
import { dispatch } from './dispatch.ts'
import { scaled } from '../../../testing/scale.ts'
import { useStore } from '../../../testing/support/database.ts'
import type { Database } from '../connection/query.ts'

const rows = scaled({ smoke: 40_000, full: 400_000 })
const claim = { limit: 64, liveLimit: 1_000, lookAhead: 16, leaseSeconds: 0, retries: true }

/** A plan of Postgres with what each node read. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

describe('a claim of rows to dispatch', () => {
  const store = useStore()

  for (const accounts of [1, 100, scaled({ smoke: 2_000, full: 10_000 })]) {
    it(`reads rows by the number of accounts with work, not by the backlog, of ${accounts} accounts`, async () => {
      await fill(store.database, accounts)
      const { plan, milliseconds } = await explainClaim(store.database)
      const read = rowsRead(plan)
      console.log(
        `      ${accounts} accounts, ${rows} rows: ${read} read, ${milliseconds.toFixed(1)} ms`,
      )
      expect(read).to.be.at.most(40 * accounts + 2 * claim.limit + 200)
    })
  }
})

/** Rows of accounts in turn, of which the first account has three quarters. */
async function fill({ query }: Database, accounts: number): Promise<void> {
  await query('empty', 'truncate commands, accounts cascade')
  await query(
    'accounts',
    `insert into accounts (account_id, name, plan)
     select gen_random_uuid(), 'a' || n, 'free' from generate_series(1, $1::int) n`,
    [accounts],
  )
  // In parts, each within the statement timeout of the tests.
  for (let from = 0; from < rows; from += 10_000) {
    await query(
      'commands',
      `with numbered as (select account_id, row_number() over () as n from accounts)
       insert into commands (command_id, account_id, command_type, vcpu_count, max_run_seconds,
         is_private, source, original_request, steps, created_at)
       select gen_random_uuid(), a.account_id, 'FFMPEG_COMMAND', 2, 60, false, '{}', '{}', '[]',
         now() - make_interval(secs => i)
       from generate_series($2::int + 1, $2::int + 10000) i
       join numbered a on a.n = case when i % 4 = 0 then 1 + i % $1 else 1 end`,
      [accounts, from],
    )
  }
  await query('analyze', 'vacuum analyze commands')
}

/** Runs the store's own statement under EXPLAIN ANALYZE. */
async function explainClaim(database: Database): Promise<{ plan: PlanNode; milliseconds: number }> {
  let explained: { Plan: PlanNode; 'Execution Time': number } | undefined
  const explaining: Database = {
    ...database,
    async query<Row>(name: string, text: string, values?: readonly unknown[]): Promise<Row[]> {
      const [row] = await database.query<{ 'QUERY PLAN': [typeof explained] }>(
        `explain_${name}`,
        `explain (analyze, format json) ${text}`,
        values,
      )
      explained = row?.['QUERY PLAN'][0]
      return []
    },
  }
  await dispatch(explaining).claimUndispatched(claim)
  if (explained === undefined) throw new Error('the statement has no plan')
  return { plan: explained.Plan, milliseconds: explained['Execution Time'] }
}

/** Rows that scans of tables and indexes read, those included that a filter removed. */
function rowsRead(node: PlanNode): number {
  const isScan = /^(?:Seq|Index|Index Only|Bitmap Heap) Scan$/.test(node['Node Type'])
  const perLoop = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
  const own = isScan ? perLoop * node['Actual Loops'] : 0
  return own + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0)
}
