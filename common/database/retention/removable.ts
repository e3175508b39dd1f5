/**
 * Conditions of the statements that delete rows of `commands`; `c` is the command. A row stays while
 * something outside the database, or the sweep that removes it, still needs it.
 */

/** The custom resource is gone, and no new one will be made. */
const hasEnded = `c.finished_at is not null
  and (c.dispatched_at is null or c.resource_deleted_at is not null)`

/** The second sweep of a lost attempt delays no deletion: an account is gone within a day. */
const isSwept = `not exists (
    select from attempts t
    where t.command_id = c.command_id and t.sweep_from is not null and t.swept_at is null
      and t.first_swept_at is null
  )`

/** Only outputs that are deleted and swept: a record stays while a file of it is listed. */
const hasNoFiles = `not exists (
    select from files f
    where f.command_id = c.command_id and (f.deleted_at is null or f.swept_at is null)
  )`

export const removable = {
  /** The record of a command. */
  records: `c.command_type <> 'STORED_FILE' and ${hasEnded} and ${isSwept} and ${hasNoFiles}`,
  /** Work on a stored file. */
  work: `c.command_type = 'STORED_FILE' and ${hasEnded} and ${isSwept}`,
  originals: `c.original_request is not null and ${hasEnded}`,
  /** The rows of the log are an object by now; before that they belong to the loop that stores it. */
  logs: `${hasEnded} and exists (select from command_log_objects o where o.command_id = c.command_id)`,
  /** The sweep of a failed file finds parts of its upload by the name of the file. */
  fileOriginals: `f.store_type = 'STORED_FILE' and (f.status = 'STORED' or f.swept_at is not null)
    and (f.original_file_url is not null or f.webhook_url is not null)`,
} as const
