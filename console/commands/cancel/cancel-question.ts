import { duration, secondsBetween } from '../../parts/relative-time.ts'

interface Started {
  readonly started_at?: string | null
}

/** Seconds of work that may be lost without a question. */
const cheapSeconds = 60

/**
 * Question before commands are cancelled.
 * @param now ms
 * @returns null where no command has run for more than a minute
 */
export function cancelQuestion(commands: readonly Started[], now: number) {
  const times = commands.map(({ started_at: from = null }) =>
    from === null ? 0 : secondsBetween(from, now),
  )
  const long = times.filter((seconds) => seconds > cheapSeconds)
  if (long.length === 0) return null
  const longest = duration(Math.max(...long))
  if (commands.length === 1) {
    const text = `It has run for ${longest}. That work is lost; the command can run again from its start.`
    return { title: 'Cancel the command?', text, verb: 'Cancel the command' }
  }
  const verb = `Cancel ${commands.length} commands`
  const text = `${long.length} of them ${long.length === 1 ? 'has' : 'have'} run for more than a minute, at most ${longest}. That work is lost.`
  return { title: `${verb}?`, text, verb }
}
