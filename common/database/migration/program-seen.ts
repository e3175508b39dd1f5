import { createLoop, loopPart } from '../../runtime/loop.ts'
import { claimInstallation } from './claim-installation.ts'
import { ownLevel } from './schema-check.ts'
import type { Effects } from '../../runtime/effects.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Part } from '../../runtime/lifecycle.ts'
import type { Query } from '../connection/query.ts'

const everyMs = 30_000

/** A running process with the level of its program. */
export interface Instance {
  /** `api-server/HOST/PID`. */
  readonly instance: string
  readonly level: number
}

export interface SeenProgram extends Instance {
  readonly seenSeconds: number
}

/**
 * Records that a program of this level runs. Called before the program checks the schema: a contract
 * migration first excludes older programs and then looks for them, so one of the two finds the other.
 * The table does not exist before the first migration by a program that records itself; it then records nothing.
 */
export async function announceProgram(query: Query, { instance, level }: Instance): Promise<void> {
  const [exists] = await query<{ exists: boolean }>(
    'program_seen_exists',
    `select to_regclass('program_seen') is not null as exists`,
  )
  if (exists?.exists !== true) return
  await query(
    'announce_program',
    `with gone as (delete from program_seen where seen_at < now() - interval '7 days')
     insert into program_seen (instance, level) values ($1, $2)
     on conflict (instance) do update set level = excluded.level, seen_at = now()`,
    [instance, level],
  )
}

export interface Announcer {
  /** Announces this program, and takes the database for its installation. */
  readonly announce: () => Promise<void>
  /** Does so every 30 seconds. */
  readonly part: Part
}

export async function createAnnouncer(deps: {
  readonly query: Query
  readonly instance: string
  /** null: the database is not compared with it, as in a process of a test. */
  readonly installation: string | null
  readonly effects: Effects
  readonly logger: Logger
}): Promise<Announcer> {
  const { query, instance, installation, effects, logger } = deps
  const { level } = await ownLevel()
  const announce = () =>
    effects.failpoint('migration.program_seen', async () => {
      if (installation !== null) await claimInstallation(query, installation)
      await announceProgram(query, { instance, level })
    })
  const loop = createLoop({ name: 'program seen', everyMs, work: announce, effects, logger })
  return { announce, part: loopPart('program seen', (signal) => loop.run(signal)) }
}

/** Newest first. */
export function seenPrograms(query: Query): Promise<SeenProgram[]> {
  return query<SeenProgram>(
    'seen_programs',
    `select instance, level, extract(epoch from now() - seen_at)::double precision as "seenSeconds"
     from program_seen order by seen_at desc, instance`,
  )
}
