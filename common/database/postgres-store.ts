import type { Store } from '../store/store.ts'
import { accountsWaiting } from './reconcile/accounts-waiting.ts'
import { admitCommands } from './reconcile/admit-commands.ts'
import { checkSchema } from './check-schema.ts'
import { claimAttempt } from './attempts/claim-attempt.ts'
import { claimUndispatched } from './dispatch/claim-undispatched.ts'
import { commitOutcome } from './attempts/commit-outcome.ts'
import { ensureAccount } from './accounts/ensure-account.ts'
import { ensureApiKey } from './accounts/ensure-api-key.ts'
import { findAccountByName } from './accounts/find-account-by-name.ts'
import { findCollectable } from './reconcile/find-collectable.ts'
import { findCommand } from './commands/find-command.ts'
import { findForReconcile } from './reconcile/find-for-reconcile.ts'
import { findKey } from './accounts/find-key.ts'
import { findStoredObject } from './files/find-stored-object.ts'
import { findSweepable } from './attempts/find-sweepable.ts'
import { findUnmirrored } from './reconcile/find-unmirrored.ts'
import { findUnsettled } from './reconcile/find-unsettled.ts'
import { findUpload } from './attempts/find-upload.ts'
import { forgetUpload } from './attempts/forget-upload.ts'
import { importCommand } from './dispatch/import-command.ts'
import { insertCommands } from './commands/insert-commands.ts'
import { listCommands } from './commands/list-commands.ts'
import { loseAttempt } from './reconcile/lose-attempt.ts'
import { markDispatched } from './dispatch/mark-dispatched.ts'
import { markMirrored } from './reconcile/mark-mirrored.ts'
import { markResourceDeleted } from './reconcile/mark-resource-deleted.ts'
import { markSwept } from './attempts/mark-swept.ts'
import type { Database } from './query.ts'
import { readGauges } from './read-gauges.ts'
import { recordUpload } from './attempts/record-upload.ts'
import { releaseQuota } from './reconcile/release-quota.ts'
import { requestCancel } from './commands/request-cancel.ts'
import { storeProgress } from './attempts/store-progress.ts'
import { undispatch } from './dispatch/undispatch.ts'

/** The store that the servers use; one file beside this one per statement or transaction. */
export function createPostgresStore(database: Database): Store {
  const { query } = database
  return {
    ensureAccount: (account) => ensureAccount(query, account),
    ensureApiKey: (key) => ensureApiKey(query, key),
    findKey: (sha256) => findKey(query, sha256),
    findAccountByName: (name) => findAccountByName(query, name),
    insertCommands: (commands) => insertCommands(query, commands),
    findCommand: (accountId, commandId) => findCommand(query, accountId, commandId),
    listCommands: (list) => listCommands(query, list),
    claimUndispatched: (claim) => claimUndispatched(query, claim),
    markDispatched: (commandId, uid) => markDispatched(query, commandId, uid),
    findForReconcile: (commandId) => findForReconcile(query, commandId),
    importCommand: (command) => importCommand(query, command, null),
    importRefused: (command) => importCommand(query, command, command.errorMessage),
    accountsWaiting: (limit) => accountsWaiting(query, limit),
    admit: (admission) => admitCommands(database, admission),
    loseAttempt: (lost) => loseAttempt(database, lost),
    releaseQuota: (commandId) => releaseQuota(query, commandId),
    findUnmirrored: (limit) => findUnmirrored(query, limit),
    markMirrored: (commandId, version) => markMirrored(query, commandId, version),
    findCollectable: (collect) => findCollectable(query, collect),
    markResourceDeleted: (commandId) => markResourceDeleted(query, commandId),
    findUnsettled: (page) => findUnsettled(query, page),
    undispatch: (commandId, uid) => undispatch(query, commandId, uid),
    requestCancel: (commandId) => requestCancel(query, commandId),
    claimAttempt: (claim) => claimAttempt(query, claim),
    storeProgress: (progress) => storeProgress(query, progress),
    commitOutcome: (commit) => commitOutcome(database, commit),
    recordUpload: (upload) => recordUpload(query, upload),
    findUpload: (attempt, key) => findUpload(query, attempt, key),
    forgetUpload: (uploadId) => forgetUpload(query, uploadId),
    findStoredObject: (accountId, key) => findStoredObject(query, accountId, key),
    findSweepable: (sweep) => findSweepable(query, sweep),
    markSwept: (commandId, attempt) => markSwept(query, commandId, attempt),
    ping: () => checkSchema(query),
    gauges: () => readGauges(query),
  }
}
