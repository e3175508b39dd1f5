import { expect } from 'chai'
import { commandStatuses, fileStatuses } from '../../domain/states.ts'
import { listCommands } from '../commands/command-records.ts'
import { listFiles } from '../files/stored-files.ts'
import type { Query } from '../connection/query.ts'

/** Compares one page of each list, with each status, with the result of LIMIT and OFFSET. */
export async function comparePages(
  query: Query,
  page: { accountId: string; limit: number; offset: number },
): Promise<void> {
  for (const status of [null, ...commandStatuses]) {
    const found = (await listCommands(query, { ...page, status })).map((one) => one.commandId)
    expect(found, label('commands', status, page)).to.deep.equal(
      await plainPage(query, plainCommands, { ...page, status }),
    )
  }
  for (const status of [null, ...fileStatuses]) {
    const found = (await listFiles(query, { ...page, status })).map((one) => one.fileId)
    expect(found, label('files', status, page)).to.deep.equal(
      await plainPage(query, plainFiles, { ...page, status }),
    )
  }
}

const plainCommands = `
  select command_id as id from commands
  where account_id = $1 and command_type <> 'STORED_FILE' and ($2::text is null or status = $2)
  order by created_at desc, command_id desc limit $3 offset $4`

const plainFiles = `
  select file_id as id from files
  where account_id = $1 and deleted_at is null and ($2::text is null or status = $2)
  order by created_at desc, file_id desc limit $3 offset $4`

async function plainPage(
  query: Query,
  statement: string,
  page: { accountId: string; status: string | null; limit: number; offset: number },
): Promise<string[]> {
  const { accountId, status, limit, offset } = page
  const name = statement === plainCommands ? 'plain_commands' : 'plain_files'
  const rows = await query<{ id: string }>(name, statement, [accountId, status, limit, offset])
  return rows.map(({ id }) => id)
}

function label(list: string, status: string | null, { limit, offset }: Record<string, unknown>) {
  return `${list} ${status ?? 'all'} limit ${String(limit)} offset ${String(offset)}`
}
