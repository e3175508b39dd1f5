import { isKubeError } from '../common/kubernetes/kube-error.ts'
import type { FfmpegCommand } from '../common/kubernetes/objects.ts'
import { planOf } from '../common/plans.ts'
import type { Plans } from '../common/plans.ts'
import { recordFinalizer } from '../common/resource-names.ts'
import type { Account } from '../common/store/accounts.ts'
import { again, done, effect, recordEvent } from './apply-deps.ts'
import type { Applied, ApplyDeps } from './apply-deps.ts'
import type { CommandFacts } from './facts/command-facts.ts'
import { importedCommand } from './import-submission.ts'
import { rejectedStatus } from './status/state.ts'
import { statusPatch } from './status/status-patch.ts'

/** Makes the row of an object that was applied with kubectl. */
export type ImportCommand = (command: CommandFacts) => Promise<Applied>

export type ImportDeps = Pick<
  ApplyDeps,
  'store' | 'commands' | 'namespace' | 'ownWrites' | 'leader' | 'recorder' | 'effects' | 'logger'
> & {
  readonly plans: Plans
  /** The account that `spec.account: default` means. */
  readonly defaultAccount: string
}

/**
 * Finalizer first, row second: a deletion between the two is then still seen. The row's key is the
 * object's own UID, so that a second import finds the first one's row.
 */
export function createImport(deps: ImportDeps): ImportCommand {
  return async (command) => {
    const object = await deps.commands.get(deps.namespace, command.metadata.name)
    if (object === null || object.metadata.uid !== command.metadata.uid) return again
    const name = command.account === 'default' ? deps.defaultAccount : command.account
    const account = await deps.store.findAccountByName(name)
    if (account === null) return reject(deps, command, object, name)
    const guarded = await addFinalizer(deps, object)
    return guarded ? insert(deps, command, object, account) : { kind: 'later', afterMs: 100 }
  }
}

async function insert(
  deps: ImportDeps,
  command: CommandFacts,
  { spec }: FfmpegCommand,
  account: Account,
): Promise<Applied> {
  const plan = planOf(deps.plans, account.plan)
  const imported = importedCommand(command.commandId, spec, account, plan)
  const row = { ...imported.command, resourceUid: command.metadata.uid }
  const { refusal } = imported
  const outcome = await effect(deps, 'operator.imported', () =>
    refusal === null
      ? deps.store.importCommand(row)
      : deps.store.importRefused({ ...row, errorMessage: refusal }),
  )
  deps.logger.info('imported an applied command', {
    command_id: command.commandId,
    account: account.name,
    outcome,
    refusal,
  })
  return again
}

async function addFinalizer(deps: ImportDeps, { metadata }: FfmpegCommand): Promise<boolean> {
  const finalizers = metadata.finalizers ?? []
  if (finalizers.includes(recordFinalizer)) return true
  const { name, uid, resourceVersion } = metadata
  try {
    const patched = await effect(deps, 'operator.finalizer_added', () =>
      deps.commands.mergePatch(
        { namespace: deps.namespace, name, uid, resourceVersion },
        { metadata: { finalizers: [...finalizers, recordFinalizer] } },
      ),
    )
    deps.ownWrites.wrote('FfmpegCommand', patched.metadata)
    return true
  } catch (error) {
    if (isKubeError(error, 'conflict', 'absent')) return false
    throw error
  }
}

/** Without an account there can be no row: the object itself says so, and may be deleted freely. */
async function reject(
  deps: ImportDeps,
  command: CommandFacts,
  { metadata }: FfmpegCommand,
  account: string,
): Promise<Applied> {
  const message = `There is no account '${account}': spec.account names an existing one`
  const why = { reason: 'Rejected', message }
  const status = rejectedStatus(why, {
    generation: command.generation,
    shown: command.shown,
    now: deps.effects.clock.wall().toISOString(),
  })
  const { name, uid, resourceVersion } = metadata
  try {
    const patched = await effect(deps, 'operator.status_patched', () =>
      deps.commands.mergePatchStatus(
        { namespace: deps.namespace, name, uid, resourceVersion },
        statusPatch(status),
      ),
    )
    deps.ownWrites.wrote('FfmpegCommand', patched.metadata)
  } catch (error) {
    if (isKubeError(error, 'conflict', 'absent')) return { kind: 'later', afterMs: 100 }
    throw error
  }
  recordEvent(deps, command, {
    type: 'Warning',
    reason: 'Rejected',
    action: 'Import',
    note: message,
  })
  return done
}
