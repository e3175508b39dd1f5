import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { cancelCommands } from './work/cancel-commands.ts'
import { check } from './work/check.ts'
import { deadLetterCommands } from './work/dead-letters.ts'
import { listActions } from './work/list-actions.ts'
import { listCommands } from './work/list-commands.ts'
import { pauseCommands } from './work/pause.ts'
import { showQueue } from './work/queue.ts'
import { requeueCommand } from './work/requeue-command.ts'
import { readClaim } from './command/read-claim.ts'
import { recordAction } from './command/record-action.ts'
import { AdminError } from './command/admin-command.ts'
import { readArguments } from './command/read-arguments.ts'
import {
  createAccount,
  listAccounts,
  resumeAccount,
  setOutputTtl,
  setPlan,
  showAccount,
  suspendAccount,
} from './accounts/accounts.ts'
import { listPlans } from './accounts/list-plans.ts'
import { showLimits, setLimits } from './accounts/limits.ts'
import { drainAccount } from './accounts/drain-account.ts'
import { showUsage } from './accounts/show-usage.ts'
import { deleteAccount } from './accounts/delete-account.ts'
import { createKey, listKeys, revokeKey, setEnvironment } from './accounts/keys.ts'
import { supportBundle } from './support/support-bundle.ts'
import { storageCors } from './storage/storage-cors.ts'
import { storagePrepare } from './storage/storage-prepare.ts'
import type { AdminDeps, AdminCommand, Given } from './command/admin-command.ts'

interface Terminal {
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
}

/**
 * `main.ts admin …`, for `kubectl exec` into a pod of the API server.
 * @returns the exit code: 0 done, 1 refused or no answer of database or storage, 2 wrong arguments
 */
export async function runAdmin(
  allArgs: readonly string[],
  deps: AdminDeps,
  { print, complain }: Terminal,
): Promise<number> {
  const { claimedBy, args } = readClaim(allArgs)
  try {
    const parsed = readArguments(adminCommands, args)
    if (parsed.kind === 'help') {
      print(parsed.text)
      return 0
    }
    // Reports a database that no API server has migrated yet.
    if (parsed.command.needsDatabase !== false) await deps.store.ping()
    const { command, given } = parsed
    const {
      text,
      json,
      failed = false,
    } = given.isRehearsal && command.rehearsesItself !== true
      ? await deps.rehearse((store) => command.run({ ...deps, store }, given))
      : await command.run(deps, given)
    if (changes(command, given) && command.needsDatabase !== false && !given.isRehearsal) {
      await recordAction(deps, command, args, claimedBy)
    }
    const note = given.isRehearsal ? '\n\nThis is a dry run: nothing was changed.' : ''
    print(parsed.json ? JSON.stringify(json, null, 2) : `${text}${note}`)
    return failed ? 1 : 0
  } catch (error) {
    if (error instanceof AdminError) {
      complain(`admin: ${error.message}`)
      return error.exitCode
    }
    const away = error instanceof DatabaseUnavailable || error instanceof ObjectStoreUnavailable
    if (!away) throw error
    const { cause } = error
    complain(`admin: ${error.message}: ${cause instanceof Error ? cause.message : String(cause)}`)
    return 1
  }
}

function changes({ readsOnly, changesWith }: AdminCommand, given: Given): boolean {
  if (readsOnly !== true) return true
  if (changesWith === undefined) return false
  return given.flag(changesWith) || given.option(changesWith) !== null
}

/** The order is that of the usage. */
export const adminCommands: readonly AdminCommand[] = [
  createAccount,
  listAccounts,
  showAccount,
  setPlan,
  suspendAccount,
  resumeAccount,
  drainAccount,
  listPlans,
  showLimits,
  setLimits,
  showUsage,
  deleteAccount,
  setOutputTtl,
  createKey,
  listKeys,
  revokeKey,
  setEnvironment,
  storageCors,
  storagePrepare,
  showQueue,
  listCommands,
  cancelCommands,
  requeueCommand,
  ...pauseCommands,
  ...deadLetterCommands,
  check,
  supportBundle,
  listActions,
]
