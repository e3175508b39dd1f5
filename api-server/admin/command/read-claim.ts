import { storableText } from '../../../common/database/connection/values.ts'

const longestName = 200

/**
 * Takes `--by NAME` out of the arguments, wherever it stands: the documented function has it before the command, and a person who
 * types it behind the command overrides that. An empty name is none, since `kubectl auth whoami` may be refused.
 */
export function readClaim(all: readonly string[]): {
  readonly claimedBy: string | null
  readonly args: readonly string[]
} {
  const args: string[] = []
  let name = ''
  for (let at = 0; at < all.length; at += 1) {
    const arg = all[at] ?? ''
    if (arg === '--by') name = all[(at += 1)] ?? ''
    else if (arg.startsWith('--by=')) name = arg.slice('--by='.length)
    else args.push(arg)
  }
  const claimedBy = storableText(name.trim().slice(0, longestName))
  return { claimedBy: claimedBy === '' ? null : claimedBy, args }
}
