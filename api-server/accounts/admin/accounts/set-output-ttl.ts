import { change } from './change.ts'
import { AdminError } from '../admin-command.ts'
import type { AdminCommand } from '../admin-command.ts'

const least = 60
const most = 31_536_000

export const setOutputTtl: AdminCommand = {
  name: 'accounts set-output-ttl',
  summary: 'deletes outputs so long after the end of their command, unless it says otherwise',
  positionals: ['ACCOUNT', 'SECONDS|none'],
  options: {},
  run: async (deps, given) =>
    change(deps, given, { defaultOutputTtlSeconds: secondsFrom(given.positional('SECONDS|none')) }),
}

function secondsFrom(text: string): number | null {
  if (text === 'none') return null
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  if (seconds >= least && seconds <= most) return seconds
  throw new AdminError(`SECONDS '${text}' is no figure from ${least} to ${most}, nor 'none'`)
}
