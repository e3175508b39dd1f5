import { fileColumns } from '../commands/command-columns.ts'
import { eachRow } from '../lists/page-of-list.ts'
import { fileKinds, fileTypes } from '../../store/lists/file-filters.ts'
import type { FileFilter, LiveFile } from '../../store/lists/file-filters.ts'
import type { FileFilterStore, StoredFile } from '../../store/files.ts'
import type { Database } from '../connection/query.ts'

/** Filtered lists and streams of an account's files; all lock nothing. */
export function filteredFiles({ query }: Database): FileFilterStore {
  return {
    filterFiles(filter) {
      const list = listOf(filter)
      return query<StoredFile>(
        list.name,
        `with page as (
           select c.* from (${list.page}
             order by f.created_at desc, f.file_id desc limit $2::bigint offset $3::bigint
           ) listed ${eachRow('files', 'file_id', 'listed')}
         ) select ${fileColumns} from page f order by f.created_at desc, f.file_id desc`,
        [
          filter.accountId,
          filter.limit,
          filter.offset,
          filter.createdAfter,
          filter.createdBefore,
          filter.beforeId,
          ...list.values,
        ],
      )
    },
    async findPreviews(accountId, commandIds) {
      if (commandIds.length === 0) return []
      return query<StoredFile>('find_previews', previewsSql, [accountId, commandIds])
    },
    async findLiveFiles(accountIds, most) {
      if (accountIds.length === 0) return []
      return query<LiveFile>('find_live_files', liveFilesSql, [accountIds, most])
    },
    async findLiveFilesByIds(fileIds) {
      if (fileIds.length === 0) return []
      return query<LiveFile>('find_live_files_by_ids', liveFilesByIdsSql, [fileIds])
    },
  }
}

interface List {
  readonly name: string
  /** A query of the ids of `f`; the order and the limit follow. */
  readonly page: string
  /** Parameters from $7 on. */
  readonly values: readonly unknown[]
}

/** Each kind of list has an index in the order of the list. */
function listOf({ commandId, kinds, types, status }: FileFilter): List {
  if (commandId !== null) {
    return {
      name: 'filter_files_of_command',
      page: ofCommand,
      values: [commandId, kinds, types, status],
    }
  }
  if (kinds === null && types === null) {
    return status === null
      ? { name: 'filter_files', page: `select f.file_id from files f where ${inSpan}`, values: [] }
      : { name: 'filter_files_by_status', page: ofStatus, values: [status] }
  }
  // A file without facts has no type.
  const wantedTypes = types ?? ['', ...fileTypes]
  const wantedStatuses = status === null ? [null] : [status]
  return {
    name: status === null ? 'filter_files_by_kind' : 'filter_files_by_kind_and_status',
    page: status === null ? ofKind(anyStatus) : ofKind('unnest($9::text[]) as s (status)'),
    values: [kinds ?? fileKinds, wantedTypes, ...(status === null ? [] : [wantedStatuses])],
  }
}

const kindOf = `(case when f.store_type = 'OUTPUT' then 'output'
  when strpos(f.original_file_url, '/') > 0 then 'url' else 'upload' end)`
const typeOf = `(coalesce(f.media ->> 'file_type', ''))`

const inSpan = `f.account_id = $1 and f.deleted_at is null
  and f.created_at >= coalesce($4::timestamptz, '-infinity')
  and f.created_at < coalesce($5::timestamptz, 'infinity')
  and ($6::uuid is null or (f.created_at, f.file_id) < (
    (select created_at from files b where b.file_id = $6 and b.account_id = $1), $6::uuid
  ))`

const ofStatus = `select f.file_id from files f where ${inSpan} and f.status = $7`

/** The outputs of one command are few. */
const ofCommand = `select f.file_id from files f where ${inSpan} and f.command_id = $7
  and ($8::text[] is null or ${kindOf} = any($8::text[]))
  and ($9::text[] is null or ${typeOf} = any($9::text[]))
  and ($10::text is null or f.status = $10)`

/** Outputs are stored from their beginning. */
const anyStatus = `unnest(case when k.kind = 'output' then array['STORED']
  else array['QUEUED', 'DOWNLOADING', 'DOWNLOADED', 'UPLOADED', 'STORED', 'FAILED'] end) as s (status)`

/** Pages of all combinations are merged, one index scan each. */
const ofKind = (statuses: string): string => `
  select f.file_id from unnest($7::text[]) as k (kind)
  cross join unnest($8::text[]) as t (type)
  cross join lateral ${statuses}
  cross join lateral (
    select f.created_at, f.file_id from files f
    where ${inSpan} and ${kindOf} = k.kind and ${typeOf} = t.type and f.status = s.status
    order by f.created_at desc, f.file_id desc limit $2::bigint + $3::bigint
  ) f`

/** An image comes before a video, in the order of their types. */
const previewsSql = `
  select ${fileColumns} from unnest($2::uuid[]) wanted (command_id)
  cross join lateral (
    select * from files f
    where f.command_id = wanted.command_id and f.account_id = $1 and f.deleted_at is null
      and (${typeOf} = 'video' or ${typeOf} = 'image' and f.size_bytes <= 8 * 1048576)
      and (not f.is_private or f.presigned_ttl_seconds is not null)
    order by ${typeOf}, f.position limit 1
  ) f`

const liveColumns = `f.account_id as "accountId", f.file_id as "fileId", f.status,
  f.command_id as "commandId"`

const unfinished = (status: string): string => `(
  select * from files
  where account_id = a.account_id and deleted_at is null and status = '${status}'
  order by created_at desc, file_id desc limit $2
)`

/** A file that begins and ends between two reads, as every output does, is among the recent ones. */
const liveFilesSql = `
  select ${liveColumns} from unnest($1::uuid[]) a (account_id)
  cross join lateral (
    ${['QUEUED', 'DOWNLOADING', 'DOWNLOADED', 'UPLOADED'].map(unfinished).join(' union all ')}
    union all (
      select * from files
      where account_id = a.account_id and deleted_at is null
        and created_at > now() - interval '10 seconds' and status in ('STORED', 'FAILED')
      order by created_at desc, file_id desc limit $2
    )
  ) f`

const liveFilesByIdsSql = `
  select ${liveColumns} from files f where f.file_id = any($1::uuid[]) and f.deleted_at is null`
