import { isFinal } from '../../../common/domain/states.ts'
import { createAccountWatch } from './watch-accounts.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { LiveCommand } from '../../../common/store/command-states.ts'
import type { LiveFile } from '../../../common/store/lists/file-filters.ts'
import type { Store } from '../../../common/store/store.ts'
import type { AccountWatch } from './watch-accounts.ts'

interface Deps {
  readonly store: Pick<Store, 'findLive' | 'findLiveByIds' | 'findLiveFiles' | 'findLiveFilesByIds'>
  readonly clock: Clock
  readonly logger: Logger
}

export function watchCommandsOfAccounts({ store, ...deps }: Deps): AccountWatch<LiveCommand> {
  return createAccountWatch({
    ...deps,
    name: 'commands',
    readLive: (accountIds, most) => store.findLive(accountIds, most),
    readByIds: (ids) => store.findLiveByIds(ids),
    idOf: ({ commandId }) => commandId,
    hasEnded: ({ status }) => isFinal(status),
    // The version says nothing about the queue.
    looksSame: (one, other) =>
      one.version === other.version &&
      one.queuePosition === other.queuePosition &&
      one.queueReason === other.queueReason,
  })
}

/** Outputs are STORED from their beginning, which is the end of their command. */
export function watchFilesOfAccounts({ store, ...deps }: Deps): AccountWatch<LiveFile> {
  return createAccountWatch({
    ...deps,
    name: 'files',
    readLive: (accountIds, most) => store.findLiveFiles(accountIds, most),
    readByIds: (ids) => store.findLiveFilesByIds(ids),
    idOf: ({ fileId }) => fileId,
    hasEnded: ({ status }) => status === 'STORED' || status === 'FAILED',
    looksSame: (one, other) => one.status === other.status,
  })
}
