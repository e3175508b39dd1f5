/** Parts of the statements of an account's list; they are constants, never input. */
export interface AccountList {
  readonly table: 'commands' | 'files'
  readonly id: 'command_id' | 'file_id'
  /** Which rows of the table are in the list; must be the text of a partial index's condition. */
  readonly condition: string
}

/**
 * The rows from an offset on, newest first, as CTE `page` with the table's columns: $1 is the account,
 * $2 the limit of at most 1,000, $3 the offset. What is in front of the page is read in the index
 * alone, and the rows of the page one by one.
 */
export function pageOfList({ table, id, condition }: AccountList): string {
  return `page as (
    select c.* from (
      select ${id} from (
        select ${id}, created_at from ${table} where account_id = $1 and ${condition}
        -- The limit is constant here and hidden there, so that one plan serves all limits: making one
        -- takes longer than reading the page.
        order by created_at desc, ${id} desc limit ${maxLimit} offset $3::bigint
      ) longest order by created_at desc, ${id} desc limit (select $2::bigint)
    ) listed ${eachRow(table, id, 'listed')}
  )`
}

const maxLimit = 1_000

/** Joins the whole rows as `c` by one probe of the key each: a plain join may read the whole table. */
export function eachRow(table: string, id: string, listed: string): string {
  return `cross join lateral (select * from ${table} where ${id} = ${listed}.${id} limit 1) c`
}
