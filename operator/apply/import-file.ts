import type { Plan } from '../../common/domain/plans.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { ImportedFile } from '../../common/store/reconcile.ts'
import type { StoredFileSpec } from '../../crds/storedfile.ts'
import { urlProblem } from '../../common/network/http-url.ts'

/** A custom resource's spec in the form of a REST request, or the reason of the refusal. */
export function importedFile(
  fileId: string,
  { environmentName, source, private: isPrivate = false }: StoredFileSpec,
  account: Account,
  plan: Plan,
): { file: Omit<ImportedFile, 'resourceUid'> } | { refusal: string } {
  if (account.suspended) return { refusal: 'The account is suspended' }
  if (isPrivate && !plan.private) {
    return { refusal: `Plan '${account.plan}' does not include private files` }
  }
  if (source.url === undefined) {
    return { refusal: 'spec.source.upload is set by the service alone: give spec.source.url' }
  }
  const problem = urlProblem('spec.source.url', source.url)
  if (problem !== null) return { refusal: problem }
  return {
    file: {
      fileId,
      accountId: account.accountId,
      environmentName: environmentName ?? null,
      url: source.url,
      isPrivate,
    },
  }
}
