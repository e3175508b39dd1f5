import { sleep } from '../../common/runtime/effects.ts'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** The list is read again at most this often, however many commands change. */
const leastMs = 1_000

/**
 * Shows the list again after each change of a command of the account, until Ctrl-C. On a terminal it replaces the
 * list before; elsewhere each line that differs is printed.
 */
export async function watchList(
  shell: Shell,
  read: () => Promise<CommandListItem[]>,
  lineOf: (item: CommandListItem, now: Date) => string,
): Promise<number> {
  const { signal, clock } = shell
  const shown = new Map<string, string>()
  // `changes` counts changes in the stream; `seen` is the count at the start of the latest list.
  let changes = 0
  let seen = -1
  let notify = () => undefined as void
  const changed = () => {
    changes += 1
    notify()
  }
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  const stream = follow()
  // The error of the stream is thrown below, once the list does not wait any more.
  stream.catch(() => undefined)
  try {
    while (!signal.aborted) {
      if (seen !== changes) {
        seen = changes
        show(await read())
        await sleep(clock, leastMs, both)
      } else {
        await Promise.race([stream, new Promise<void>((resolve) => (notify = resolve))])
      }
    }
  } catch (error) {
    // The stream ends the wait of the list, too: its error says why.
    if (stop.signal.aborted && !signal.aborted) await stream
    if (!signal.aborted) throw error
  } finally {
    stop.abort()
  }
  await stream.catch(() => undefined)
  return 0

  async function follow(): Promise<void> {
    try {
      for await (const _ of shell.client().getEvents({ signal: both, onConnect: changed }))
        changed()
    } finally {
      stop.abort()
      notify()
    }
  }

  function show(items: readonly CommandListItem[]): void {
    const now = clock.wall()
    if (shell.redraw !== null) return shell.redraw(items.map((item) => lineOf(item, now)))
    for (const item of items.toReversed()) {
      // Without the age, which changes by itself.
      const state = lineOf(item, new Date(item.created_at))
      if (shown.get(item.command_id) === state) continue
      shown.set(item.command_id, state)
      shell.print(lineOf(item, now))
    }
  }
}
