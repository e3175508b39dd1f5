import { endpoint } from '../../http/endpoint.ts'
import { notFound, refusal } from '../../http/errors.ts'
import { isFinal } from '../../../common/domain/states.ts'
import { stopCommand } from './stop-command.ts'
import { existingState } from './watch-commands.ts'
import { statusRecord } from '../read/view.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { CommandStatus } from '../../../common/domain/states.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { ErrorStatus } from '../../../common/domain/failures.ts'
import type { AuthenticatedKey } from '../../../common/store/accounts.ts'
import type { CommandState } from '../../../common/store/command-states.ts'
import type { Store } from '../../../common/store/store.ts'
import type { FileUrls } from '../../files/file-urls.ts'
import type { CommandRecords } from '../read/command-records.ts'
import type { CommandWatch } from './watch-commands.ts'

interface Deps {
  readonly store: Pick<Store, 'findState' | 'findCommand' | 'commitOutcome' | 'requestCancel'>
  readonly watch: CommandWatch
  readonly records: Pick<CommandRecords, 'forget'>
  readonly fileUrls: FileUrls
  readonly effects: Effects
}

/** A runner learns of the cancellation within 2 s and needs a few seconds to stop FFmpeg. */
const waitMs = 10_000

/**
 * `POST /v1/commands/{command_id}/cancel`. A command without a runner ends immediately, by the
 * statement that commits all outcomes; otherwise the row stores the request to cancel, and this call
 * waits for the runner's report.
 */
export function cancelCommand(deps: Deps): Endpoint {
  const { store, records, fileUrls } = deps
  return endpoint('cancelCommand', async ({ path }, { key, fields }) => {
    const { accountId } = key.account
    const state = await existingState(store, key, path.command_id, fields)
    const { commandId } = state
    if (isFinal(state.status)) refuseUnlessCancelled(state)
    else if (await wishToStop(deps, commandId, nameOf(key))) await ended(deps, state)
    records.forget(accountId, commandId)
    const command = await store.findCommand(accountId, commandId)
    if (command === null) throw notFound('Command', commandId)
    return { status: 200, body: statusRecord(command, await fileUrls(command.files, 0)) }
  })
}

/** @returns whether the operator or the runner has to end it */
async function wishToStop(deps: Deps, commandId: string, by: string): Promise<boolean> {
  const stopped = await stopCommand(deps, commandId, by)
  if (stopped.kind === 'final') refuseUnlessCancelled(stopped)
  return stopped.kind === 'requested'
}

function nameOf({ prefix, label, keyId }: AuthenticatedKey): string {
  return `key ${prefix ?? label ?? keyId}`
}

/** @throws Refusal 409 */
function refuseUnlessCancelled(end: {
  status: CommandStatus
  errorStatus: ErrorStatus | null
}): void {
  if (end.errorStatus === 'CANCELLED') return
  throw refusal(409, `Command has already finished: ${end.status}`, {}, 'command_finished')
}

/** Waits for any final status, up to a timeout: the runner may not respond. */
async function ended({ watch, effects: { clock } }: Deps, first: CommandState): Promise<void> {
  const followed = watch.follow(first)
  const until = clock.monotonicMs() + waitMs
  const forever = new AbortController().signal
  try {
    while (!isFinal(followed.state().status)) {
      const left = until - clock.monotonicMs()
      if (left <= 0) return
      await followed.newer(followed.state().version, left, forever)
    }
  } finally {
    followed.close()
  }
}
