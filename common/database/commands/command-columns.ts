/** Select lists that several statements share; `c` is the command. */
/** Derived, so that rows of programs that know no priority have one. */
const priority = `
  case when c.queue_key < c.created_at then 'high' when c.queue_key > c.created_at then 'low'
    else 'normal' end`

export const submissionColumns = `
  c.command_id as "commandId", c.account_id as "accountId",
  c.environment_name as "environmentName", c.command_type as "commandType", c.source,
  c.original_request as "originalRequest", c.metadata, c.vcpu_count as "vcpuCount",
  c.max_run_seconds as "maxRunSeconds", c.is_private as "isPrivate",
  c.output_ttl_seconds as "outputTtlSeconds",
  c.presigned_ttl_seconds as "presignedTtlSeconds", c.webhook_url as "webhookUrl",
  ${priority} as "priority"`

export const lifecycleColumns = `
  c.status, c.stage, c.progress_percent as "progressPercent", c.steps,
  c.error_status as "errorStatus", c.error_message as "errorMessage",
  c.created_at as "createdAt", c.started_at as "startedAt", c.finished_at as "finishedAt",
  c.attempts, c.warnings`

export const fileColumns = `
  f.file_id as "fileId", f.store_type as "storeType", f.status,
  case when f.lost_at is null then f.error_status else 'STORAGE_ERROR' end as "errorStatus",
  case when f.lost_at is null then f.error_message
    else 'The stored file is missing in the bucket' end as "errorMessage", f.original_file_url as "originalFileUrl",
  f.expires_at as "expiresAt", f.alias, f.key, f.size_bytes as "sizeBytes",
  f.compressed_bytes as "compressedBytes", f.file_count as "fileCount", f.media,
  f.command_id as "commandId", f.environment_name as "environmentName",
  f.is_private as "isPrivate", f.presigned_ttl_seconds as "presignedTtlSeconds",
  f.created_at as "createdAt", f.deleted_at as "deletedAt"`
