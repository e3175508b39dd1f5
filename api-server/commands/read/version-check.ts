import type { KnownVersion } from '../../../common/store/command-states.ts'
import type { Store } from '../../../common/store/store.ts'

interface Batch {
  readonly known: KnownVersion[]
  readonly changed: Promise<ReadonlySet<string>>
}

/**
 * Whether the version of a command has changed. Calls while a statement is in flight share the next
 * one, so that the load on the database does not grow with the number of clients.
 */
export function createVersionCheck(
  store: Pick<Store, 'findChanged'>,
): (known: KnownVersion) => Promise<boolean> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Batch | null = null

  return async (known) => {
    next ??= begin()
    next.known.push(known)
    return (await next.changed).has(known.commandId)
  }

  function begin(): Batch {
    const known: KnownVersion[] = []
    const changed = underWay.then(async () => {
      next = null
      return new Set((await store.findChanged(known)).map(({ commandId }) => commandId))
    })
    underWay = changed.catch(() => undefined)
    return { known, changed }
  }
}
