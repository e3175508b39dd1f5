import type { FfmpegCommand, StoredFileObject } from '../../common/kubernetes/resources/objects.ts'
import { isInline } from '../../common/kubernetes/resources/spec-form.ts'
import { isDispatched } from '../../common/kubernetes/origin/dispatch-mark.ts'
import { storedBytes } from '../../common/kubernetes/stored-bytes.ts'
import { planOf } from '../../common/domain/plans.ts'
import type { Plans } from '../../common/domain/plans.ts'
import { labels, labelValue, recordFinalizer } from '../../common/domain/resource-names.ts'
import type { Account } from '../../common/store/accounts.ts'
import { again, done, effect, resourceOf } from '../apply/apply-context.ts'
import type { Applied, ApplyDeps, ImportCommand } from '../apply/apply-context.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import { factMetadata } from '../observe/fact-metadata.ts'
import { accountProblem, meantAccount } from './applied-accounts.ts'
import type { AppliedAccounts } from './applied-accounts.ts'
import { importedCommand, importedFile } from './import-submission.ts'
import type { ImportedCommand } from './import-submission.ts'
import { writeFinalizers } from '../apply/record-finalizer.ts'
import { recordLost } from '../observe/shown-status.ts'
import type { ImportRoom } from './import-room.ts'
import { showRefusal, showWait } from './show-import.ts'
import type { ShowImportDeps } from './show-import.ts'

export interface ImportSettings {
  readonly accounts: AppliedAccounts
  /** Addresses below which a URL is a file of the service. */
  readonly storageBases: readonly string[]
}

export type ImportDeps = ShowImportDeps &
  Pick<ApplyDeps, 'store' | 'results' | 'logger'> & {
    readonly plans: Plans
    readonly imports: ImportSettings
    readonly room: Pick<ImportRoom, 'waitsBehind' | 'take' | 'mayAnnounce' | 'forget'>
  }

/**
 * Finalizer first, row second: a deletion between the two is then still noticed. The row's key is
 * the object's own UID, so that a second import finds the first one's row.
 */
export function createImport(deps: ImportDeps): ImportCommand {
  const { accounts, storageBases } = deps.imports
  return async (command) => {
    const isApplied = command.origin === 'applied'
    const { metadata: place } = command
    const name = meantAccount(accounts, command.account)
    // Before anything is said of the account: its name alone is not for everybody.
    const problem = isApplied
      ? accountProblem(accounts, { namespace: place.namespace, account: command.account })
      : null
    if (problem !== null) return showRefusal(deps, command, place, rejected(problem))
    // An object of the service has had its place in the queue, before its record was lost.
    const joining = { ...command, account: name }
    const behind = isApplied ? deps.room.waitsBehind(joining) : null
    if (behind !== null) return showWait(deps, command, behind)
    const object = await resourceOf(deps, command.kind).get(place.namespace, place.name)
    if (object === null || object.metadata.uid !== place.uid) return again
    if (!isApplied && !isDispatched(await deps.store.readDispatchKey(), object)) {
      // This service has shown an end of the command, so it was ours.
      if (command.shown.ended) return done
      return showRefusal(deps, command, object.metadata, unmarked)
    }
    const account = await deps.store.findAccountByName(name)
    if (account === null) {
      if (!isApplied) return loseRecord(deps, command, object)
      const message = `spec.account must name an existing account; got '${name}'`
      return showRefusal(deps, command, object.metadata, rejected(message))
    }
    if (!isApplied) {
      const inserted = await insertLost(deps, command, object, account)
      if (inserted !== null) return inserted
    }
    const full = isApplied ? await deps.room.take(joining, account) : null
    if (full !== null) return showWait(deps, command, full)
    const plan = planOf(deps.plans, account)
    const { metadata, spec } = object
    // Commands that the REST API has accepted may publish the files of their account.
    const guarded = isApplied ? storageBases : []
    if (!('source' in spec)) {
      if (!isInline(spec)) return loseRecord(deps, command, object)
      const submittedAt = object.status?.queuedAt
      const objectBytes = storedBytes({ metadata, spec })
      const measured = { spec, objectBytes, guarded }
      const imported = importedCommand(command.commandId, measured, account, plan)
      return insert(deps, command, object, account, () =>
        insertCommand(deps, command, imported, submittedAt),
      )
    }
    const imported = importedFile(command.commandId, { spec, guarded }, account, plan)
    if ('refusal' in imported) {
      if (!isApplied) return loseRecord(deps, command, object)
      return showRefusal(deps, command, object.metadata, rejected(imported.refusal))
    }
    return insert(deps, command, object, account, () =>
      deps.store.importFile({ ...imported.file, resourceUid: command.metadata.uid }),
    )
  }
}

const rejected = (message: string) => ({ reason: 'Rejected', message })

const unmarked = {
  reason: 'NotOurs',
  message:
    'The id in the spec is set by the service alone, and this object is not of it: leave the id out and apply a new object',
}

/**
 * The row of a dispatched command is gone: the database has lost its last commits. The result object
 * has the whole submission; without one the row follows from the spec.
 */
async function insertLost(
  deps: ImportDeps,
  command: CommandFacts,
  object: Applicable,
  account: Account,
): Promise<Applied | null> {
  const { attempt } = object.status ?? {}
  const { commandId } = command
  if (attempt === undefined || command.shown.state === 'FAILED') return null
  const result = await deps.results.find({ accountId: account.accountId, commandId, attempt })
  if (result === 'unavailable') return { kind: 'later', afterMs: storeAgainMs }
  if (result === null || result.submission.commandType === 'STORED_FILE') return null
  const { commandType, ...submission } = result.submission
  const { createdAt: submittedAt } = result
  const row = { ...submission, commandType, submittedAt, resourceUid: command.metadata.uid }
  return insert(deps, command, object, account, () => deps.store.importCommand(row))
}

const storeAgainMs = 3_000

async function insert(
  deps: ImportDeps,
  command: CommandFacts,
  object: Applicable,
  account: Account,
  run: () => Promise<'inserted' | 'exists'>,
): Promise<Applied> {
  const guarded = await addFinalizer(deps, command, object, account)
  if (!guarded) return { kind: 'later', afterMs: 100 }
  const outcome = await effect(deps, 'operator.imported', run)
  deps.room.forget(command.commandId)
  deps.logger.info('imported an applied object', {
    command_id: command.commandId,
    kind: command.kind,
    account: account.name,
    outcome,
  })
  return again
}

type Applicable = FfmpegCommand | StoredFileObject

function insertCommand(
  { store }: ImportDeps,
  { metadata }: CommandFacts,
  imported: ImportedCommand,
  submittedAt: string | undefined,
): Promise<'inserted' | 'exists'> {
  const row = { ...imported.command, resourceUid: metadata.uid, submittedAt }
  return imported.refusal === null
    ? store.importCommand(row)
    : store.importRefused({ ...row, errorMessage: imported.refusal })
}

async function addFinalizer(
  deps: ImportDeps,
  { kind }: CommandFacts,
  { metadata }: Applicable,
  account: Account,
): Promise<boolean> {
  const finalizers = metadata.finalizers ?? []
  if (finalizers.includes(recordFinalizer)) return true
  const written = await writeFinalizers(
    deps,
    { kind, metadata: factMetadata(metadata) },
    [...finalizers, recordFinalizer],
    'operator.finalizer_added',
    // Objects of the REST API have it too, so that a selector finds both.
    { labels: { [labels.account]: labelValue(account.name) } },
  )
  return written === 'written'
}

/**
 * The database has lost the row, and neither the spec nor a result object has all of it: it cannot be
 * inserted again. An end that was shown stays.
 */
async function loseRecord(
  deps: ImportDeps,
  command: CommandFacts,
  object: Applicable,
): Promise<Applied> {
  const { commandId } = command
  deps.logger.error('custom resource without a database row', { command_id: commandId })
  if (command.shown.ended) return done
  return showRefusal(deps, command, object.metadata, { reason: recordLost, message: lostMessage })
}

const lostMessage =
  'The database has no record of this command, and its request was in that record alone: submit it again'
