import { eachRow } from '../lists/page-of-list.ts'
import { summaries } from './command-records.ts'

/** Rows that one search reads, so that its time does not grow with the account. */
export const mostSearched = 10_000

/** Lower case already; a path of a URL is searched by its last name alone, whose query may be a secret. */
const texts = `
  select lower(v #>> '{}') as text from jsonb_path_query(source::jsonb, '$.commands[*]') v
  union all select lower(v #>> '{}') from jsonb_path_query(source::jsonb, '$.outputFiles.*') v
  union all select lower(substring(v #>> '{}' from '[^/?#]*(?=[?#]|$)'))
    from jsonb_path_query(source::jsonb, '$.inputFiles.*') v
  union all select lower(substring(v #>> '{}' from '[^/?#]*(?=[?#]|$)'))
    from jsonb_path_query(source::jsonb, '$.inputCompressedFolder') v`

/**
 * Reads the index of the list and its rows from the newest of the span on. The filters that are in no index apply behind
 * the bound: in front of it, rows that they leave out would be read without end.
 * Parameters as those of `filter_commands`, $9 the error statuses, $10 the text.
 */
export const searchSql = `
  with page as (
    select c.* from (
      select command_id, created_at from (
        select * from commands
        where account_id = $1 and command_type <> 'STORED_FILE'
          and created_at >= coalesce($5::timestamptz, '-infinity')
          and created_at < coalesce($6::timestamptz, 'infinity')
          and ($7::uuid is null or (created_at, command_id) < (
            (select created_at from commands b where b.command_id = $7 and b.account_id = $1), $7::uuid
          ))
        order by created_at desc, command_id desc limit ${mostSearched}
      ) newest
      where ($4::text[] is null or status = any($4::text[]))
        and ($9::text[] is null or error_status = any($9::text[]))
        and ($8::json is null or (
          select bool_and(metadata ->> key is not distinct from value) from json_each_text($8::json)
        ))
        and (
          strpos(command_id::text, lower($10::text)) > 0
          or exists (select from (${texts}) t where strpos(t.text, lower($10::text)) > 0)
        )
      order by created_at desc, command_id desc limit $2::bigint offset $3::bigint
    ) listed ${eachRow('commands', 'command_id', 'listed')}
  ) ${summaries}`
