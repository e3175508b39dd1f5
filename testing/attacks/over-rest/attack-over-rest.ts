import { attackCommands } from '../attack-commands.ts'
import { craftedAttacks } from '../attack-commands-crafted.ts'
import type { AttackAddresses, AttackSubmission } from './attack-submission.ts'
import { commandAttacks } from './command-attacks.ts'
import { contentAttacks } from './content-attacks.ts'

export interface Attacks {
  /** Command lines that parser and sandbox are tested with; the parser refuses each. */
  readonly refused: readonly AttackSubmission[]
  readonly byCommand: readonly AttackSubmission[]
  readonly byContent: readonly AttackSubmission[]
}

export function allAttacks(addresses: AttackAddresses): Attacks {
  const { listener } = addresses
  const targets = {
    secret: '/etc/passwd',
    secretRelative: '../../etc/passwd',
    outside: '/tmp',
    outsideRelative: '../../tmp',
    host: listener,
    hostEscaped: listener.replace(':', String.raw`\\:`),
    job: '/job/work',
  }
  const known = [...attackCommands(targets), ...craftedAttacks(targets)]
  return {
    refused: known.map(({ id, attack }) => ({ name: id, command: attack, form: 'zip', files: {} })),
    byCommand: commandAttacks(addresses),
    byContent: contentAttacks(addresses),
  }
}
