import { mbytes } from '../../http/format.ts'
import { AdminError } from '../command/admin-command.ts'
import { table } from '../command/table.ts'
import { findAccount } from './account-records.ts'
import type { AccountUsage } from '../../../common/store/limits.ts'
import type { AdminCommand } from '../command/admin-command.ts'

export const showUsage: AdminCommand = {
  name: 'usage',
  summary: 'shows what accounts used in a calendar month (UTC): commands, vCPU seconds, bytes',
  positionals: [],
  readsOnly: true,
  options: {
    account: { value: 'ACCOUNT', summary: 'only this one' },
    month: { value: 'YYYY-MM', summary: 'default: the present month' },
    csv: { summary: 'prints comma-separated values, for a bill' },
  },
  async run(deps, given) {
    const month = monthIn(given.option('month') ?? thisMonth(deps.effects.clock.wall()))
    const which = given.option('account')
    const accountId = which === null ? null : (await findAccount(deps, which)).accountId
    const used = await deps.store.readUsageByAccount({ month: new Date(month), accountId })
    const rows = used.map((each) => cells(month, each).map(String))
    return {
      text: given.flag('csv')
        ? [columns, ...rows].map((row) => row.join(',')).join('\n')
        : table(
            columns.map((column) => shownAs(column).replaceAll('_', ' ').toUpperCase()),
            used.map((each) => cells(month, inMbytes(each)).map(String)),
          ),
      json: used.map((each) =>
        Object.fromEntries(
          cells(month, each).map((cell, index): [string, string | number] => [
            columns[index] ?? '',
            cell,
          ]),
        ),
      ),
    }
  },
}

const columns = [
  'month',
  'account',
  'account_id',
  'plan',
  'succeeded',
  'failed',
  'cancelled',
  'vcpu_seconds',
  'processing_bytes',
  'stored_bytes_now',
] as const

/** The table is for people; a bill has bytes. */
function inMbytes(used: AccountUsage): AccountUsage {
  const rounded = (bytes: number) => Number(mbytes(bytes).toFixed(2))
  const { processingBytes, storedBytes } = used
  return { ...used, processingBytes: rounded(processingBytes), storedBytes: rounded(storedBytes) }
}

function shownAs(column: string): string {
  return column.replace('bytes', 'MB')
}

/** No cell has a comma: names of accounts are DNS labels, those of plans keys of the configuration. */
function cells(month: string, used: AccountUsage): readonly (string | number)[] {
  const { name, accountId, plan, succeeded, failed, cancelled } = used
  return [
    month,
    name,
    accountId,
    plan,
    succeeded,
    failed,
    cancelled,
    Math.round(used.vcpuSeconds * 10) / 10,
    used.processingBytes,
    used.storedBytes,
  ]
}

function thisMonth(now: Date): string {
  return now.toISOString().slice(0, 7)
}

/** @throws AdminError */
function monthIn(text: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text
  throw new AdminError(`--month must be YYYY-MM, such as 2026-11; got '${text}'`, 2)
}
