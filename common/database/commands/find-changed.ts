import type { CommandState, KnownVersion } from '../../store/command-states.ts'
import { stateColumns } from './find-state.ts'
import type { Query } from '../query.ts'

/** Locks nothing. One statement for all commands that a process follows, one index probe each. */
export function findChanged(query: Query, known: readonly KnownVersion[]): Promise<CommandState[]> {
  if (known.length === 0) return Promise.resolve([])
  return query<CommandState>(
    'find_changed',
    `select ${stateColumns}
     from unnest($1::uuid[], $2::bigint[]) as known (command_id, version)
     join commands c using (command_id) where c.version <> known.version`,
    [known.map(({ commandId }) => commandId), known.map(({ version }) => version)],
  )
}
