import { bytesPerMbyte, planOf } from '../../../common/domain/plans.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import { commitReport } from './accept-result.ts'
import { final, refused } from './answers.ts'
import type { GatewayResponse } from './answers.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import type { Runner } from '../identity/runner-identity.ts'

/**
 * The size of a file stored from a URL is known once it is fetched. A file larger than the
 * account's free storage fails here, before a byte of it is stored; outputs of commands were
 * checked at submission.
 * @returns null if it fits
 */
export async function fitsStorage(
  deps: GatewayDeps,
  runner: Runner,
  row: ReconcileRow,
  files: readonly { readonly sizeBytes: number | null }[],
): Promise<GatewayResponse | null> {
  if (row.commandType !== 'STORED_FILE') return null
  if (files.some(({ sizeBytes }) => sizeBytes === null)) {
    return refused(422, 'The size of a file that is to be stored is known')
  }
  const account = await deps.store.findAccountByName(row.accountName)
  const { storageMbytes } = planOf(deps.settings.plans, account?.plan ?? '')
  if (storageMbytes === null) return null
  const { storedBytes } = await deps.store.readUsage(row.accountId)
  const left = Math.max(0, storageMbytes * bytesPerMbyte - storedBytes)
  const needed = files.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)
  if (needed <= left) return null
  const ended = await commitReport(deps, runner, {
    commandId: runner.commandId,
    attempt: runner.podUid,
    outcome: {
      status: 'FAILED',
      errorStatus: 'QUOTA_EXCEEDED',
      errorMessage: `The file needs ${mbytes(needed)} MB, ${mbytes(left)} MB of storage are left`,
    },
    steps: [],
    usage: null,
    logs: [],
  })
  return ended.status === 200 ? final({ status: 'FAILED', errorStatus: 'QUOTA_EXCEEDED' }) : ended
}

/** Rounded for the sentence alone. */
function mbytes(bytes: number): number {
  return Math.round((bytes / bytesPerMbyte) * 10) / 10
}
