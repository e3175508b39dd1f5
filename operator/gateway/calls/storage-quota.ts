import { bytesPerMbyte, planOf } from '../../../common/domain/plans.ts'
import { figure } from '../../../common/domain/quota.ts'
import type { OutcomeCommit } from '../../../common/store/attempts.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import { commitReport } from './commit-report.ts'
import { final, refused } from './answers.ts'
import type { GatewayResponse } from './answers.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import type { Runner } from '../identity/runner-identity.ts'

/**
 * The size of a file stored from a URL is known once it is fetched. A file larger than the account's
 * free storage fails here, before a byte of it is stored. So do outputs, which may take what their
 * command reserves beside what is free: together with other commands they may need more than was left
 * at admission.
 * @param report what the runner has reported, if it has ended; before that the steps are those of its
 *   last progress
 * @returns null if it fits
 */
export async function fitsStorage(
  deps: GatewayDeps,
  runner: Runner,
  row: ReconcileRow,
  files: readonly { readonly sizeBytes: number | null }[],
  report: Pick<OutcomeCommit, 'steps' | 'usage' | 'logs'> = { steps: null, usage: null, logs: [] },
): Promise<GatewayResponse | null> {
  const isFile = row.commandType === 'STORED_FILE'
  if (isFile && files.some(({ sizeBytes }) => sizeBytes === null)) {
    return refused(
      422,
      'files[].sizeBytes must be a number for a stored file; send the size of the file',
    )
  }
  const { accountPlan: plan, accountLimits: limits } = row
  const { storageMbytes } = planOf(deps.settings.plans, { plan, limits })
  if (storageMbytes === null) return null
  const { storedBytes } = await deps.store.readUsage(row.accountId)
  const own = isFile ? 0 : row.reservedOutputBytes
  const left = Math.max(0, storageMbytes * bytesPerMbyte + own - storedBytes)
  const needed = files.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)
  if (needed <= left) return null
  const what = isFile ? 'The file needs' : 'The outputs need'
  return commitReport(deps, runner, {
    commandId: runner.commandId,
    attempt: runner.podUid,
    outcome: {
      status: 'FAILED',
      errorStatus: 'QUOTA_EXCEEDED',
      errorMessage: `${what} ${figure(needed)} MB, ${figure(left)} MB of storage are left`,
    },
    ...report,
  })
}

/** The answer to a request for URLs of files that do not fit. */
export function withoutUrls(ended: GatewayResponse): GatewayResponse {
  return ended.status === 200 ? final({ status: 'FAILED', errorStatus: 'QUOTA_EXCEEDED' }) : ended
}
