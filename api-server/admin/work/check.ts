import { findAccount } from '../accounts/account-records.ts'
import { timestamp } from '../../http/format.ts'
import { checkRestore } from '../restore/check-restore.ts'
import { AdminError } from '../command/admin-command.ts'
import { table } from '../command/table.ts'
import type { AdminCommand, AdminDeps } from '../command/admin-command.ts'
import type { OrphanCount } from '../../../common/store/administration/restore-check.ts'

/** The operator releases vCPUs within seconds of the end of the pods. */
const releaseSeconds = 600

interface Finding {
  readonly account: string
  readonly what: string
  readonly kept: string | number
  readonly counted: string | number
}

export const check: AdminCommand = {
  name: 'check',
  summary:
    'counts again what the database keeps count of, and looks for commands that hold vCPUs after their end; exit code 1 on a difference',
  positionals: [],
  options: {
    account: { value: 'ACCOUNT', summary: 'only this one' },
    restore: {
      summary:
        'after a restore: also compares files with the bucket, marks files as lost, has other objects swept',
    },
    'all-lost': { summary: 'marks files as lost although the bucket has the object of none' },
  },
  readsOnly: true,
  changesWith: 'restore',
  canRehearse: true,
  rehearsesItself: true,
  async run(deps, given) {
    if (given.flag('all-lost') && !given.flag('restore')) {
      throw new AdminError('--all-lost must come with --restore', 2)
    }
    const which = given.option('account')
    const accounts =
      which === null ? await deps.store.listAccounts(null) : [await findAccount(deps, which)]
    const findings: Finding[] = []
    for (const [index, { accountId, name }] of accounts.entries()) {
      if (index % 100 === 99) deps.report(`${index + 1} of ${accounts.length} accounts are counted`)
      for (const difference of await deps.store.recount(accountId)) {
        findings.push({ account: name, ...difference })
      }
    }
    findings.push(...(await unreleased(deps, new Set(accounts.map(({ name }) => name)))))
    const rows = findings.map(({ account, what, kept, counted }) => [
      account,
      what,
      String(kept),
      String(counted),
    ])
    const only = which === null ? null : (accounts[0]?.accountId ?? null)
    const text =
      rows.length === 0
        ? `The figures of ${accounts.length} accounts are those of their rows.`
        : table(['ACCOUNT', 'WHAT', 'KEPT', 'COUNTED'], rows)
    const json = { accounts: accounts.length, differences: findings }
    const failed = findings.length > 0
    if (!given.flag('restore')) {
      const orphans = await deps.store.countOrphans(only)
      const more = orphans.owners === 0 ? '' : `\n\n${orphansText(orphans)}`
      return { text: text + more, json: { ...json, recorded_orphans: orphans }, failed }
    }
    const restored = await checkRestore(deps, {
      accounts,
      only,
      allLost: given.flag('all-lost'),
      isRehearsal: given.isRehearsal,
    })
    return {
      text: `${text}\n\n${restored.text}`,
      json: { ...json, restore: restored.json },
      failed: failed || restored.failed === true,
    }
  },
}

/**
 * Orphans that the last check of the bucket recorded: this one does not read it. They wait for their
 * sweep, so they do not count as a difference.
 */
function orphansText({ owners, objects, bytes, failing }: OrphanCount): string {
  const failed = failing === 0 ? '' : ` The deletion of ${failing} has failed and is tried again.`
  return `The last 'check --restore' has recorded ${objects} objects (${bytes} bytes) of ${owners} commands or files without a row; the operator deletes them seven days after it found them.${failed}`
}

async function unreleased({ store }: AdminDeps, names: ReadonlySet<string>): Promise<Finding[]> {
  const found = await store.findUnreleased(releaseSeconds)
  return found
    .filter(({ account }) => names.has(account))
    .map(({ account, commandId, vcpus, finishedAt }) => ({
      account,
      what: `vCPUs of ${commandId}, which ended at ${timestamp(finishedAt)}`,
      kept: vcpus,
      counted: 0,
    }))
}
