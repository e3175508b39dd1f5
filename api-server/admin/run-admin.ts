import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { cancelCommands } from './work/cancel-commands.ts'
import { listActions } from './work/list-actions.ts'
import { pauseCommands } from './work/pause.ts'
import { showQueue } from './work/queue.ts'
import { requeueCommand } from './work/requeue-command.ts'
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
import { deleteAccount } from './accounts/delete-account.ts'
import { createKey, listKeys, revokeKey, setEnvironment } from './accounts/keys.ts'
import { migrateCommand } from './migrate.ts'
import { storageCors } from './storage/storage-cors.ts'
import type { AdminDeps, AdminCommand } from './command/admin-command.ts'

interface Terminal {
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
}

/**
 * `main.ts admin …`, for `kubectl exec` into a pod of the API server.
 * @returns the exit code: 0 done, 1 refused or no answer of database or storage, 2 wrong arguments
 */
export async function runAdmin(
  args: readonly string[],
  deps: AdminDeps,
  { print, complain }: Terminal,
): Promise<number> {
  try {
    const parsed = readArguments(adminCommands, args)
    if (parsed.kind === 'help') {
      print(parsed.text)
      return 0
    }
    // Reports a database that no API server has migrated yet.
    if (parsed.command.needsDatabase !== false) await deps.store.ping()
    const { text, json, failed = false } = await parsed.command.run(deps, parsed.given)
    if (parsed.command.readsOnly !== true && parsed.command.needsDatabase !== false) {
      await recordAction(deps, parsed.command, args)
    }
    print(parsed.json ? JSON.stringify(json, null, 2) : text)
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

/** In the order of the usage. */
export const adminCommands: readonly AdminCommand[] = [
  ...[createAccount, listAccounts, showAccount, setPlan, suspendAccount, resumeAccount],
  ...[deleteAccount, setOutputTtl, createKey, listKeys, revokeKey, setEnvironment, storageCors],
  ...[showQueue, cancelCommands, requeueCommand, ...pauseCommands, listActions, migrateCommand],
]
