import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { FfmpegCommand, StoredFileObject } from '../../common/kubernetes/resources/objects.ts'
import { isInline } from '../../common/kubernetes/resources/spec-form.ts'
import { storedBytes } from '../../common/kubernetes/stored-bytes.ts'
import { planOf } from '../../common/domain/plans.ts'
import type { Plans } from '../../common/domain/plans.ts'
import { recordFinalizer } from '../../common/domain/resource-names.ts'
import type { Account } from '../../common/store/accounts.ts'
import { again, done, effect, recordEvent, resourceOf } from '../apply/apply-context.ts'
import type { Applied, ApplyDeps, ImportCommand } from '../apply/apply-context.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import { factMetadata } from '../observe/fact-metadata.ts'
import { importedCommand, importedFile } from './import-submission.ts'
import type { ImportedCommand } from './import-submission.ts'
import { writeFinalizers } from '../apply/record-finalizer.ts'
import type { Reason } from '../status/reason.ts'
import { rejectedStatus, waitingStatus } from '../status/state.ts'
import { recordLost, wholeOf } from '../observe/shown-status.ts'
import type { WorkStatus } from '../observe/shown-status.ts'
import type { ImportRoom } from './import-room.ts'
import { statusPatch } from '../status/status-patch.ts'

export type ImportDeps = Pick<
  ApplyDeps,
  | 'store'
  | 'results'
  | 'commands'
  | 'storedFiles'
  | 'ownWrites'
  | 'term'
  | 'recorder'
  | 'effects'
  | 'logger'
> & {
  readonly plans: Plans
  /** The account that `spec.account: default` means. */
  readonly defaultAccount: string
  readonly room: Pick<ImportRoom, 'waitsBehind' | 'take' | 'mayAnnounce' | 'forget'>
}

/**
 * Finalizer first, row second: a deletion between the two is then still noticed. The row's key is
 * the object's own UID, so that a second import finds the first one's row.
 */
export function createImport(deps: ImportDeps): ImportCommand {
  return async (command) => {
    // An object of the service has had its place in the queue, before its record was lost.
    const isApplied = command.origin === 'applied'
    const behind = isApplied ? deps.room.waitsBehind(roomFacts(deps, command)) : null
    if (behind !== null) return showWait(deps, command, behind)
    const object = await resourceOf(deps, command.kind).get(
      command.metadata.namespace,
      command.metadata.name,
    )
    if (object === null || object.metadata.uid !== command.metadata.uid) return again
    const name = accountName(deps, command)
    const account = await deps.store.findAccountByName(name)
    if (account === null) {
      const message = `spec.account must name an existing account; got '${name}'`
      return reject(deps, command, object, { reason: 'Rejected', message })
    }
    if (command.origin === 'dispatched') {
      const inserted = await insertLost(deps, command, object, account)
      if (inserted !== null) return inserted
    }
    const full = isApplied ? await deps.room.take(roomFacts(deps, command), account) : null
    if (full !== null) return showWait(deps, command, full)
    const plan = planOf(deps.plans, account)
    const { metadata, spec } = object
    if (!('source' in spec)) {
      if (!isInline(spec)) return loseRecord(deps, command, object)
      const submittedAt = object.status?.queuedAt
      const measured = { spec, objectBytes: storedBytes({ metadata, spec }) }
      const imported = importedCommand(command.commandId, measured, account, plan)
      return insert(deps, command, object, account, () =>
        insertCommand(deps, command, imported, submittedAt),
      )
    }
    const imported = importedFile(command.commandId, spec, account, plan)
    if ('refusal' in imported) {
      const message = imported.refusal
      return reject(deps, command, object, { reason: 'Rejected', message })
    }
    return insert(deps, command, object, account, () =>
      deps.store.importFile({ ...imported.file, resourceUid: command.metadata.uid }),
    )
  }
}

function accountName({ defaultAccount }: ImportDeps, { account }: CommandFacts): string {
  return account === 'default' ? defaultAccount : account
}

function roomFacts(deps: ImportDeps, command: CommandFacts) {
  return { ...command, account: accountName(deps, command) }
}

/** Nothing is requeued: the room wakes the object. */
async function showWait(deps: ImportDeps, command: CommandFacts, why: Reason): Promise<Applied> {
  const status = waitingStatus(why, {
    generation: command.generation,
    shown: command.shown,
    now: deps.effects.clock.wall().toISOString(),
  })
  if (wholeOf(status) === command.shown.whole) return done
  if (!deps.room.mayAnnounce(command.commandId)) return done
  return writeStatus(deps, command, command.metadata, status, 'show')
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
  const guarded = await addFinalizer(deps, command, object)
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
): Promise<boolean> {
  const finalizers = metadata.finalizers ?? []
  if (finalizers.includes(recordFinalizer)) return true
  const written = await writeFinalizers(
    deps,
    { kind, metadata: factMetadata(metadata) },
    [...finalizers, recordFinalizer],
    'operator.finalizer_added',
  )
  return written === 'written'
}

/**
 * If the row cannot be made, the object's status says why, and the object may be deleted freely.
 */
function reject(
  deps: ImportDeps,
  command: CommandFacts,
  object: Applicable,
  why: Reason,
): Promise<Applied> {
  if (command.origin === 'dispatched') return loseRecord(deps, command, object)
  return showRefusal(deps, command, object, why)
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
  deps.logger.error('the record of a dispatched object is lost', { command_id: commandId })
  if (command.shown.ended) return done
  return showRefusal(deps, command, object, { reason: recordLost, message: lostMessage })
}

const lostMessage =
  'The database has no record of this command, and its request was in that record alone: submit it again'

async function showRefusal(
  deps: ImportDeps,
  command: CommandFacts,
  { metadata }: Applicable,
  why: Reason,
): Promise<Applied> {
  const status = rejectedStatus(why, {
    generation: command.generation,
    shown: command.shown,
    now: deps.effects.clock.wall().toISOString(),
  })
  deps.room.forget(command.commandId)
  const written = await writeStatus(deps, command, metadata, status, 'end')
  if (written.kind !== 'done') return written
  recordEvent(deps, command, {
    type: 'Warning',
    reason: why.reason,
    action: 'Import',
    note: why.message,
  })
  return done
}

async function writeStatus(
  deps: ImportDeps,
  { kind }: CommandFacts,
  { namespace = '', name, uid, resourceVersion }: Applicable['metadata'],
  status: WorkStatus,
  lane: 'show' | 'end',
): Promise<Applied> {
  try {
    const patched = await effect(deps, 'operator.status_patched', () =>
      resourceOf(deps, kind).mergePatchStatus(
        { namespace, name, uid, resourceVersion },
        statusPatch(status, kind),
        { lane },
      ),
    )
    deps.ownWrites.wrote(kind, patched.metadata)
    return done
  } catch (error) {
    if (isKubeError(error, 'conflict', 'absent')) return { kind: 'later', afterMs: 100 }
    throw error
  }
}
