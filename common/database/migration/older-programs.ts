import type { Clock } from '../../runtime/effects.ts'
import type { Query } from '../connection/query.ts'

/** A crashed program is replaced, and a release rolled back, within this. */
const quietSeconds = 3_600
/** Between the first files and `firstRecorded` of a database that one program created as a whole. */
const togetherSeconds = 600
/** The first file whose programs record themselves: older ones run unseen. */
const firstRecorded = 9
const rememberMs = 30_000

export interface OlderPrograms {
  /**
   * Whether a program below the level ran within the last hour, or may have: after the migration from
   * a release whose programs do not record themselves. Until then data is written in a form that they
   * read. The answer is 30 s old at most.
   * @throws DatabaseUnavailable
   */
  mayRun(level: number): Promise<boolean>
}

export function createOlderPrograms(deps: {
  readonly query: Query
  readonly clock: Clock
}): OlderPrograms {
  const answers = new Map<number, { readonly atMs: number; readonly answer: Promise<boolean> }>()
  return {
    mayRun(level) {
      const nowMs = deps.clock.monotonicMs()
      const known = answers.get(level)
      if (known !== undefined && nowMs - known.atMs < rememberMs) return known.answer
      const answer = findOlder(deps.query, level)
      answers.set(level, { atMs: nowMs, answer })
      answer.catch(() => answers.delete(level))
      return answer
    },
  }
}

async function findOlder(query: Query, level: number): Promise<boolean> {
  const [found] = await query<{ older: boolean }>(
    'older_programs',
    `select exists (
       select from program_seen
       where level < $1 and seen_at > now() - make_interval(secs => $2)
     ) or exists (
       select from schema_levels
       where version = $3
         and (finished_at is null or finished_at > now() - make_interval(secs => $2))
         and started_at > make_interval(secs => $4) + (select max(applied_at) from schema_migrations)
     ) as older`,
    [level, quietSeconds, firstRecorded, togetherSeconds],
  )
  return found?.older === true
}
