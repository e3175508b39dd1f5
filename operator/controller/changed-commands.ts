import type { ShowTurns } from '../apply/show-turns.ts'
import type { CommandTimers } from '../apply/command-timers.ts'
import type { ImportRoom } from '../import/import-room.ts'
import type { Lane } from '../machinery/lanes.ts'
import type { OwnWrites } from '../machinery/own-writes.ts'
import type { WorkQueue } from '../machinery/work-queue.ts'
import type { Caches } from '../observe/caches.ts'
import type { CacheChange } from '../observe/watched-kinds.ts'
import { reconcileDelayMs } from './reconcile-delay.ts'
import type { Stage } from './reconcile-delay.ts'

/** `claimed`: a pod has taken the command, which frees the place of a start. Else this and `progress` have only to be shown. */
export type RowChange = 'state' | 'claimed' | 'progress'

/** Puts a command in the queue when its objects or its row have changed, as soon as the change is worth it. */
export interface ChangedCommands {
  enqueue(commandId: string, lane: Lane, afterMs?: number): void
  objectChanged(commandId: string, change: CacheChange): void
  /** The gateway of this process has changed the row. */
  rowChanged(commandId: string, what: RowChange): void
  /** The row and its object differ. */
  rowDiffers(row: {
    readonly commandId: string
    readonly final: boolean
    readonly cancelRequested: boolean
  }): void
  /** A reconcile begins, which shows the changes that there are. */
  reconciling(commandId: string): void
}

export interface ChangedCommandsDeps {
  readonly caches: Pick<Caches, 'commandsOf'>
  readonly ownWrites: Pick<OwnWrites, 'forget'>
  readonly queue: Pick<WorkQueue, 'add' | 'addAfter'>
  readonly room: Pick<ImportRoom, 'isWaiting' | 'forget'>
  readonly showTurns: Pick<ShowTurns, 'forget'>
  readonly timers: Pick<CommandTimers, 'isReleased' | 'statusNoticed'>
  readonly onStarted: (commandId: string) => void
}

/** A status is debounced for as long from the notice on, and the end of a short command comes first. */
const noticedMs = 1_500

export function createChangedCommands(deps: ChangedCommandsDeps): ChangedCommands {
  const { caches, queue, room, timers } = deps
  /** Changes of rows that a reconcile will show soon. */
  const noticed = new Set<string>()

  return {
    enqueue,
    objectChanged(commandId, change) {
      if (change.type === 'deleted') {
        const { metadata } = change.object
        deps.ownWrites.forget(change.kind, metadata, metadata.uid)
        room.forget(commandId)
        if (change.kind !== 'Job' && change.kind !== 'Pod') deps.showTurns.forget(commandId)
      }
      const stage = stageOf(commandId)
      const afterMs = reconcileDelayMs(change, stage)
      if (afterMs !== null) enqueue(commandId, stage === 'live' ? 'live' : 'finished', afterMs)
    },
    rowChanged(commandId, what) {
      if (what === 'state') return queue.add(commandId)
      // The next start may need its place.
      if (what === 'claimed') deps.onStarted(commandId)
      timers.statusNoticed(commandId)
      noticed.add(commandId)
      queue.addAfter(commandId, noticedMs, what === 'claimed' ? 'live' : 'progress')
    },
    rowDiffers({ commandId, final, cancelRequested }) {
      if (final) enqueue(commandId, 'finished')
      else if (cancelRequested) enqueue(commandId, 'live')
      else if (!noticed.has(commandId)) enqueue(commandId, 'progress')
    },
    reconciling: (commandId) => void noticed.delete(commandId),
  }

  function stageOf(commandId: string): Stage {
    if (timers.isReleased(commandId)) return 'released'
    const command = caches.commandsOf(commandId)[0]
    if (command === undefined) return 'gone'
    return command.shown.ended ? 'ended' : 'live'
  }

  function enqueue(commandId: string, lane: Lane, afterMs = 0): void {
    // The room wakes it: a read of its row for each event would find nothing.
    if (!room.isWaiting(commandId)) queue.addAfter(commandId, afterMs, lane)
  }
}
