import { createLoop, loopPart } from '../../runtime/loop.ts'
import { DatabaseUnavailable } from '../../store/health.ts'
import type { Effects } from '../../runtime/effects.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Part } from '../../runtime/lifecycle.ts'
import type { Query } from '../connection/query.ts'

/** After this time without a sign of life another installation may take the place, as after a move to another cluster. */
const silentSeconds = 300

/** Two installations on one database would both run its commands. */
export class OtherInstallation extends Error {
  constructor(other: string, own: string, seenSeconds: number) {
    super(
      `the database belongs to the installation '${other}', which was alive ${Math.round(seenSeconds)} s ago; this is '${own}': give it a database of its own, or uninstall the other one and wait ${silentSeconds} s`,
    )
    this.name = 'OtherInstallation'
  }
}

/**
 * Takes the database for this installation, or keeps it. Before the migration that makes the table it does nothing.
 * @param own namespace and name of the release
 * @throws DatabaseUnavailable because of OtherInstallation: the caller waits until that one has ended
 */
export async function claimInstallation(query: Query, own: string): Promise<void> {
  const [exists] = await query<{ exists: boolean }>(
    'installation_exists',
    `select to_regclass('installation') is not null as exists`,
  )
  if (exists?.exists !== true) return
  const claimed = await query(
    'claim_installation',
    `insert into installation as known (name) values ($1)
     on conflict (id) do update set name = excluded.name, seen_at = now()
       where known.name = excluded.name or known.seen_at < now() - make_interval(secs => $2)
     returning name`,
    [own, silentSeconds],
  )
  if (claimed.length > 0) return
  const [other] = await query<{ name: string; seenSeconds: number }>(
    'other_installation',
    `select name, extract(epoch from now() - seen_at)::double precision as "seenSeconds"
     from installation`,
  )
  throw new DatabaseUnavailable(
    new OtherInstallation(other?.name ?? '', own, other?.seenSeconds ?? 0),
  )
}

const everyMs = 30_000

export interface InstallationClaim {
  readonly claim: () => Promise<void>
  /** Does so every 30 seconds. */
  readonly part: Part
}

export function createInstallationClaim(deps: {
  readonly query: Query
  /** null: the database is not compared with it, as in a process of a test. */
  readonly installation: string | null
  readonly effects: Effects
  readonly logger: Logger
}): InstallationClaim {
  const { query, installation, effects, logger } = deps
  const claim = async (): Promise<void> => {
    if (installation === null) return
    await effects.failpoint('installation.claimed', () => claimInstallation(query, installation))
  }
  const loop = createLoop({ name: 'installation', everyMs, work: claim, effects, logger })
  return { claim, part: loopPart('installation', (signal) => loop.run(signal)) }
}
