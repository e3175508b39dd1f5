import type { QueryResultRow } from 'pg'

/**
 * Sends one statement. `name` is its name in metrics and that of the prepared statement on each
 * connection, so each name must have exactly one text.
 */
export type Query = <Row extends QueryResultRow = QueryResultRow>(
  name: string,
  text: string,
  values?: readonly unknown[],
) => Promise<Row[]>

export interface Database {
  /** One statement, a transaction by itself. */
  readonly query: Query
  /**
   * Several statements in one READ COMMITTED transaction, rolled back if `work` rejects.
   * @param limits.statementMs statement timeout in place of the pool's
   */
  transaction<T>(
    work: (query: Query) => Promise<T>,
    limits?: { readonly statementMs: number },
  ): Promise<T>
  close(): Promise<void>
}
