import { createLoop, createPacedLoop } from '../../common/runtime/loop.ts'
import type { Loop } from '../../common/runtime/loop.ts'
import { resync } from '../loops/resync.ts'
import type { StatusSync } from '../loops/sync-status.ts'
import type { KeyLocks } from '../machinery/key-locks.ts'
import type { ChangedCommands } from './changed-commands.ts'
import type { ControllerDeps } from './controller-deps.ts'
import type { ControllerParts } from './controller-parts.ts'
import { createUpkeep } from './upkeep.ts'

export interface ControllerLoops {
  readonly admit: Loop
  readonly mirror: Loop
  readonly refill: Loop
  /** All loops, the three included. */
  readonly all: readonly Loop[]
}

export function createControllerLoops(
  deps: ControllerDeps,
  parts: ControllerParts,
  {
    changed,
    mirrored,
    locked,
  }: {
    readonly changed: ChangedCommands
    readonly mirrored: StatusSync
    readonly locked: KeyLocks
  },
): ControllerLoops {
  const { caches, effects, logger, store } = deps
  const { admission, apply, history, results, room, warm } = parts
  const { shortestMs, longestMs } = deps.hints
  const shared = { effects, logger }
  const admit = createPacedLoop({
    ...shared,
    name: 'admission',
    // Caches wake admission; what they do not show, such as a backoff that ends, is polled.
    everyMs: 1_000,
    longestMs: () => 2 * longestMs(),
    work: (signal) => admission.admitWaiting(signal),
  })
  const mirror = createPacedLoop({
    ...shared,
    name: 'mirror',
    everyMs: 500,
    shortestMs,
    longestMs,
    work: (signal) => mirrored.pass(signal),
  })
  const refill = createLoop({
    ...shared,
    name: 'warm',
    everyMs: 1_000,
    work: (signal) => warm.pass(signal),
  })
  const imports = createLoop({
    ...shared,
    name: 'imports',
    everyMs: 5_000,
    work: (signal) => room.wakeThatFit(signal),
  })
  const enqueue = (commandId: string, final: boolean): void =>
    changed.enqueue(commandId, final ? 'finished' : 'live')
  const drift = createLoop({
    ...shared,
    name: 'drift',
    everyMs: 5 * 60_000,
    work: (signal) => resync({ store, caches, enqueue }, signal),
  })
  const upkeep = createUpkeep({
    controller: deps,
    apply,
    results,
    locked,
    compared: (signal) => history.compared(signal),
  })
  return { admit, mirror, refill, all: [admit, mirror, refill, imports, drift, ...upkeep] }
}
