import { attackCommands } from '../attack-commands.ts'
import type { AttackTargets } from '../attack-commands.ts'
import { plainReading } from '../../../common/command-line/read/reading.ts'
import { splitCommand } from '../../../common/command-line/read/tokens.ts'

/** A command line that reads, writes, connects or executes something outside a job. */
export interface Attack {
  readonly name: string
  /** Text after FFmpeg's name. */
  readonly command: string
  /** The same, split as by a shell. */
  readonly argv: readonly string[]
  /** Files that it needs in the working folder. */
  readonly files?: Readonly<Record<string, string>>
}

/** Each was made against an FFmpeg without a sandbox, where most of them work. */
export function attacksByCommand(targets: AttackTargets): Attack[] {
  return attackCommands(targets).map(({ id, attack }) => ({
    name: id,
    command: attack,
    argv: words(attack),
  }))
}

export function words(command: string): string[] {
  const splitting = splitCommand(command)
  if (!splitting.ok) throw new Error(`cannot be split: ${command}`)
  return splitting.tokens.map((token) => plainReading(token).text)
}
