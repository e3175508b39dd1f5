import { BoundedMap } from '../../../common/bounded/bounded-map.ts'
import type { LifecycleStore } from '../../../common/store/store.ts'

type Command = { readonly commandId: string; readonly jobGeneration: number }

const maxKnown = 10_000

/**
 * The command that a warm runner was given. Kept in memory, because it never changes and each report needs
 * it; the guards of the statements decide whether the pod still holds the command.
 */
export function createCommandOf(
  store: Pick<LifecycleStore, 'findBound'>,
): (podUid: string) => Promise<Command | null> {
  const known = new BoundedMap<string, Command>(maxKnown)
  return async (podUid) => {
    const command = known.get(podUid) ?? (await store.findBound(podUid))
    if (command === null || known.has(podUid)) return command
    known.set(podUid, command)
    return command
  }
}
