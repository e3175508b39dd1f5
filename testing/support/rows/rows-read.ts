import type { Database } from '../../../common/database/connection/query.ts'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Rows of tables that the statement reads, those that a filter drops included. */
export function rowsRead(database: Database, sql: string): Promise<number> {
  return rowsReadBy(database, ({ query }) => query('statement', sql))
}

/** Rows of tables that the statements of a store's method read; the method gets no rows. */
export async function rowsReadBy(
  database: Database,
  run: (explaining: Database) => Promise<unknown>,
): Promise<number> {
  let rows = 0
  const query: Database['query'] = async (name, text, values) => {
    const [found] = await database.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
      `explain_${name}`,
      `explain (analyze, format json) ${text}`,
      values,
    )
    if (found === undefined) throw new Error('EXPLAIN returned no row')
    rows += rowsOf(found['QUERY PLAN'][0].Plan)
    return []
  }
  await run({ ...database, query })
  return rows
}

function rowsOf(node: PlanNode): number {
  const each =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  const own = node['Relation Name'] === undefined ? 0 : each * node['Actual Loops']
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), own)
}
