import type { Store } from '../../common/store/store.ts'
import type { Caches } from '../observe/caches.ts'

const pageSize = 1000

/**
 * Compares all state once: rows whose custom resource may be gone, rows that have ended and were
 * not released, and custom resources whose row may be gone. Events normally report these; the
 * resync finds those whose event was lost.
 */
export async function resync(
  deps: {
    readonly store: Pick<Store, 'findUnsettled'>
    readonly caches: Pick<Caches, 'commands' | 'storedFiles'>
    readonly enqueue: (commandId: string, final: boolean) => void
  },
  signal: AbortSignal,
): Promise<void> {
  const { commands, storedFiles } = deps.caches
  for (const { commandId, shown } of [...commands.list(), ...storedFiles.list()]) {
    deps.enqueue(commandId, shown.ended)
  }
  let afterCommandId: string | null = null
  do {
    const page: string[] = await deps.store.findUnsettled({ afterCommandId, limit: pageSize })
    for (const commandId of page) deps.enqueue(commandId, false)
    afterCommandId = page.length < pageSize ? null : (page.at(-1) ?? null)
  } while (afterCommandId !== null && !signal.aborted)
}
