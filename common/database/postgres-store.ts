import type { Store } from '../store/store.ts'
import { accountsWaiting } from './reconcile/accounts-waiting.ts'
import { claimIdempotencyKey } from './limits/claim-idempotency-key.ts'
import { completeIdempotencyKey } from './limits/complete-idempotency-key.ts'
import { expireIdempotencyKeys } from './limits/expire-idempotency-keys.ts'
import { foldUsage } from './limits/fold-usage.ts'
import { giveTokensBack } from './limits/give-tokens-back.ts'
import { readActivity } from './limits/read-activity.ts'
import { readUsage } from './limits/read-usage.ts'
import { releaseIdempotencyKey } from './limits/release-idempotency-key.ts'
import { secondsUntilTokens } from './limits/seconds-until-tokens.ts'
import { takeClientToken } from './registrations/take-client-token.ts'
import { takeTokens } from './limits/take-tokens.ts'
import { tokensLeft } from './limits/tokens-left.ts'
import { activate } from './registrations/activate.ts'
import { addActivationToken } from './registrations/add-activation-token.ts'
import { addApiKey } from './accounts/add-api-key.ts'
import { addRegistration } from './registrations/add-registration.ts'
import { admitCommands } from './reconcile/admit-commands.ts'
import { changeAccount } from './accounts/change-account.ts'
import { changeApiKey } from './accounts/change-api-key.ts'
import { checkSchema } from './check-schema.ts'
import { claimActivationMails } from './registrations/claim-activation-mails.ts'
import { claimAttempt } from './attempts/claim-attempt.ts'
import { claimUndispatched } from './dispatch/claim-undispatched.ts'
import { commitOutcome } from './attempts/commit-outcome.ts'
import { countQueued } from './commands/count-queued.ts'
import { createAccount } from './accounts/create-account.ts'
import { ensureAccount } from './accounts/ensure-account.ts'
import { ensureApiKey } from './accounts/ensure-api-key.ts'
import { findAccountByName } from './accounts/find-account-by-name.ts'
import { findChanged } from './commands/find-changed.ts'
import { findCollectable } from './reconcile/find-collectable.ts'
import { findCommand } from './commands/find-command.ts'
import { findForReconcile } from './reconcile/find-for-reconcile.ts'
import { findLogObject } from './logs/find-log-object.ts'
import { findLogsToStore } from './logs/find-logs-to-store.ts'
import { findQueueAnchors } from './commands/find-queue-anchors.ts'
import { findState } from './commands/find-state.ts'
import { findKey } from './accounts/find-key.ts'
import { insertStoredFile } from './files/insert-stored-file.ts'
import { openUpload } from './files/open-upload.ts'
import { recordUploadId } from './files/record-upload-id.ts'
import { claimCompletion } from './files/claim-completion.ts'
import { releaseCompletion } from './files/release-completion.ts'
import { completeUpload } from './files/complete-upload.ts'
import { abortUpload } from './files/abort-upload.ts'
import { listFiles } from './files/list-files.ts'
import { findFile } from './files/find-file.ts'
import { deleteFiles } from './files/delete-files.ts'
import { deleteCommandFiles } from './files/delete-command-files.ts'
import { expireUploads } from './files/expire-uploads.ts'
import { expireFiles } from './files/expire-files.ts'
import { findSweepableFiles } from './files/find-sweepable-files.ts'
import { markFilesSwept } from './files/mark-files-swept.ts'
import { findUploadId } from './files/find-upload-id.ts'
import { findStoredObject } from './files/find-stored-object.ts'
import { findSweepable } from './attempts/find-sweepable.ts'
import { findUnmirrored } from './reconcile/find-unmirrored.ts'
import { findUnsettled } from './reconcile/find-unsettled.ts'
import { findUpload } from './attempts/find-upload.ts'
import { forgetOldRegistrations } from './registrations/forget-old-registrations.ts'
import { forgetUpload } from './attempts/forget-upload.ts'
import { importCommand } from './dispatch/import-command.ts'
import { importFile } from './dispatch/import-file.ts'
import { insertCommands } from './commands/insert-commands.ts'
import { listAccounts } from './accounts/list-accounts.ts'
import { listApiKeys } from './accounts/list-api-keys.ts'
import { listCommands } from './commands/list-commands.ts'
import { loseAttempt } from './reconcile/lose-attempt.ts'
import { markDispatched } from './dispatch/mark-dispatched.ts'
import { markMailFailed } from './registrations/mark-mail-failed.ts'
import { markMailSent } from './registrations/mark-mail-sent.ts'
import { markMirrored } from './reconcile/mark-mirrored.ts'
import { markResourceDeleted } from './reconcile/mark-resource-deleted.ts'
import { markSwept } from './attempts/mark-swept.ts'
import type { Database } from './query.ts'
import { readGauges } from './read-gauges.ts'
import { readLogs } from './logs/read-logs.ts'
import { recordDispatchFailure } from './dispatch/record-dispatch-failure.ts'
import { recordLogObject } from './logs/record-log-object.ts'
import { recordUpload } from './attempts/record-upload.ts'
import { releaseQuota } from './reconcile/release-quota.ts'
import { requestCancel } from './commands/request-cancel.ts'
import { storeProgress } from './attempts/store-progress.ts'
import { undispatch } from './dispatch/undispatch.ts'
import { claimDeliveries } from './webhooks/claim-deliveries.ts'
import { deliveryGauges } from './webhooks/delivery-gauges.ts'
import { expireDeliveries } from './webhooks/expire-deliveries.ts'
import { findWebhook } from './webhooks/find-webhook.ts'
import { keepDeliveryBody } from './webhooks/keep-delivery-body.ts'
import { listDeliveries } from './webhooks/list-deliveries.ts'
import { recordDelivery } from './webhooks/record-delivery.ts'
import { releaseDelivery } from './webhooks/release-delivery.ts'
import { setWebhook } from './webhooks/set-webhook.ts'
import { unsetWebhook } from './webhooks/unset-webhook.ts'

/** The store that the servers use; one file beside this one per statement or transaction. */
export function createPostgresStore(database: Database): Store {
  const { query } = database
  return {
    ensureAccount: (account) => ensureAccount(query, account),
    ensureApiKey: (key) => ensureApiKey(query, key),
    findKey: (sha256) => findKey(query, sha256),
    findAccountByName: (name) => findAccountByName(query, name),
    createAccount: (account, key) => createAccount(database, account, key),
    listAccounts: (which) => listAccounts(query, which),
    changeAccount: (accountId, change) => changeAccount(query, accountId, change),
    addApiKey: (accountId, key) => addApiKey(query, accountId, key),
    listApiKeys: (accountId) => listApiKeys(query, accountId),
    changeApiKey: (keyId, change) => changeApiKey(query, keyId, change),
    addRegistration: (one, mailsPerDay) => addRegistration(query, one, mailsPerDay),
    claimActivationMails: (claim) => claimActivationMails(query, claim),
    addActivationToken: (id, sha256) => addActivationToken(query, id, sha256),
    markMailSent: (id) => markMailSent(query, id),
    markMailFailed: (id, retrySeconds) => markMailFailed(query, id, retrySeconds),
    activate: (activation) => activate(database, activation),
    forgetOldRegistrations: (seconds) => forgetOldRegistrations(query, seconds),
    takeClientToken: (rate) => takeClientToken(query, rate),
    insertCommands: (commands) => insertCommands(query, commands),
    findCommand: (accountId, commandId) => findCommand(query, accountId, commandId),
    listCommands: (list) => listCommands(query, list),
    findState: (accountId, commandId) => findState(query, accountId, commandId),
    findChanged: (known) => findChanged(query, known),
    findQueueAnchors: (accountId, every) => findQueueAnchors(query, accountId, every),
    countQueued: (range) => countQueued(query, range),
    readLogs: (commandId, after) => readLogs(query, commandId, after),
    findLogsToStore: (find) => findLogsToStore(query, find),
    recordLogObject: (commandId, object) => recordLogObject(query, commandId, object),
    findLogObject: (commandId) => findLogObject(query, commandId),
    claimUndispatched: (claim) => claimUndispatched(query, claim),
    markDispatched: (commandId, uid) => markDispatched(query, commandId, uid),
    recordDispatchFailure: (failure) => recordDispatchFailure(query, failure),
    findForReconcile: (commandId) => findForReconcile(query, commandId),
    importCommand: (command) => importCommand(query, command, null),
    importFile: (file) => importFile(database, file),
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
    commitOutcome: (commit) => commitOutcome(database.query, commit),
    recordUpload: (upload) => recordUpload(query, upload),
    findUpload: (attempt, key) => findUpload(query, attempt, key),
    forgetUpload: (uploadId) => forgetUpload(query, uploadId),
    findStoredObject: (accountId, key) => findStoredObject(query, accountId, key),
    insertStoredFile: (file) => insertStoredFile(database, file),
    openUpload: (upload) => openUpload(query, upload),
    findUploadId: (fileId) => findUploadId(query, fileId),
    recordUploadId: (begun) => recordUploadId(query, begun),
    claimCompletion: (claim) => claimCompletion(database, claim),
    releaseCompletion: (fileId, claim) => releaseCompletion(query, fileId, claim),
    completeUpload: (completed) => completeUpload(database, completed),
    abortUpload: (abort) => abortUpload(database, abort),
    listFiles: (list) => listFiles(query, list),
    findFile: (accountId, fileId) => findFile(query, accountId, fileId),
    deleteFiles: (deletion) => deleteFiles(database, deletion),
    deleteCommandFiles: (accountId, commandId) => deleteCommandFiles(query, accountId, commandId),
    expireUploads: (limit) => expireUploads(query, limit),
    expireFiles: (limit) => expireFiles(query, limit),
    findSweepableFiles: (page) => findSweepableFiles(query, page),
    markFilesSwept: (fileIds) => markFilesSwept(query, fileIds),
    findSweepable: (sweep) => findSweepable(query, sweep),
    markSwept: (commandId, attempt) => markSwept(query, commandId, attempt),
    readUsage: (accountId) => readUsage(query, accountId),
    readActivity: (accountId) => readActivity(query, accountId),
    foldUsage: (limit) => foldUsage(query, limit),
    takeTokens: (take) => takeTokens(query, take),
    secondsUntilTokens: (take) => secondsUntilTokens(query, take),
    tokensLeft: (bucket) => tokensLeft(query, bucket),
    giveTokensBack: (take) => giveTokensBack(query, take),
    claimIdempotencyKey: (claim) => claimIdempotencyKey(query, claim),
    completeIdempotencyKey: (answered) => completeIdempotencyKey(query, answered),
    releaseIdempotencyKey: (released) => releaseIdempotencyKey(query, released),
    expireIdempotencyKeys: (limit) => expireIdempotencyKeys(query, limit),
    findWebhook: (accountId) => findWebhook(query, accountId),
    setWebhook: (webhook) => setWebhook(database, webhook),
    unsetWebhook: (accountId) => unsetWebhook(query, accountId),
    listDeliveries: (list) => listDeliveries(query, list),
    claimDeliveries: (claim) => claimDeliveries(query, claim),
    keepDeliveryBody: (kept) => keepDeliveryBody(query, kept),
    recordDelivery: (attempt) => recordDelivery(query, attempt),
    releaseDelivery: (lease) => releaseDelivery(query, lease),
    expireDeliveries: (old) => expireDeliveries(query, old),
    deliveryGauges: () => deliveryGauges(query),
    ping: () => checkSchema(query),
    gauges: () => readGauges(query),
  }
}
