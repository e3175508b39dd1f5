/** Select lists that several statements share; `c` is the command. */
export const submissionColumns = `
  c.command_id as "commandId", c.account_id as "accountId",
  c.environment_name as "environmentName", c.command_type as "commandType", c.source,
  c.original_request as "originalRequest", c.metadata, c.vcpu_count as "vcpuCount",
  c.max_run_seconds as "maxRunSeconds", c.is_private as "isPrivate",
  c.output_ttl_seconds as "outputTtlSeconds", c.webhook_url as "webhookUrl"`

export const lifecycleColumns = `
  c.status, c.stage, c.progress_percent as "progressPercent", c.steps,
  c.error_status as "errorStatus", c.error_message as "errorMessage",
  c.created_at as "createdAt", c.started_at as "startedAt", c.finished_at as "finishedAt",
  c.attempts`

/**
 * Position among the account's commands that wait for vCPUs, from the index of waiting rows. Null
 * once admitted: the command then waits for its runner. Stored files need no vCPUs of the account, so
 * they are not in this queue.
 */
export const queuePosition = `
  case when c.admitted_at is null and c.finished_at is null and c.vcpu_count > 0 then (
    select count(*)::integer from commands q
    where q.account_id = c.account_id and q.admitted_at is null and q.finished_at is null
      and q.vcpu_count > 0 and (q.created_at, q.command_id) <= (c.created_at, c.command_id)
  ) end as "queuePosition"`

/** Positions up to this are counted with each read of a command's record. */
export const countedPositions = 1_000

/** The queue position, counted from the command towards the front, to `countedPositions` + 1 at most. */
export const nearQueuePosition = `
  case when c.admitted_at is null and c.finished_at is null and c.vcpu_count > 0 then (
    select count(*)::integer from (
      select from commands q
      where q.account_id = c.account_id and q.admitted_at is null and q.finished_at is null
        and q.vcpu_count > 0 and (q.created_at, q.command_id) <= (c.created_at, c.command_id)
      order by q.created_at desc, q.command_id desc limit ${countedPositions + 1}
    ) ahead
  ) end as "queuePosition"`

export const fileColumns = `
  f.file_id as "fileId", f.store_type as "storeType", f.status, f.error_status as "errorStatus",
  f.error_message as "errorMessage", f.original_file_url as "originalFileUrl",
  f.expires_at as "expiresAt", f.alias, f.key, f.size_bytes as "sizeBytes",
  f.compressed_bytes as "compressedBytes", f.file_count as "fileCount", f.media,
  f.command_id as "commandId", f.environment_name as "environmentName",
  f.is_private as "isPrivate", f.created_at as "createdAt", f.deleted_at as "deletedAt"`
