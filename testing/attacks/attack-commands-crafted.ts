import type { AttackCommand, AttackTargets } from './attack-commands.ts'
import { builtAttacks, nestedAttacks } from './attack-commands-built.ts'
import { connectAttacks } from './attack-commands-connect.ts'
import { readAttacks } from './attack-commands-read.ts'
import { rarerAttacks, spelledAttacks } from './attack-commands-spelled.ts'
import { writeAttacks } from './attack-commands-write.ts'

/**
 * Attacks by every way found so far to name a file, a host or code, beyond the first fifty. One a
 * line: an id, then the arguments with the attack as `⟦attack⇒harmless twin⟧`, and as
 * `⟦attack⇒twin⇒token⟧` where the refusal points at something else than the whole of it.
 */
export function craftedAttacks(targets: AttackTargets): AttackCommand[] {
  return [
    readAttacks,
    writeAttacks,
    connectAttacks,
    spelledAttacks,
    rarerAttacks,
    builtAttacks,
    nestedAttacks,
  ]
    .flatMap((table) => table.trim().split('\n'))
    .map((line) => {
      const [, id = '', before = '', marked = '', after = ''] =
        /^(\w+) (.*?)⟦(.*)⟧(.*)$/.exec(line) ?? []
      const [attack = '', twin = attack, token = attack] = marked.split('⇒')
      const filled = (text: string): string => fill(text, targets)
      return {
        id,
        attack: filled(before + attack + after),
        token: filled(token),
        twin: filled(before + twin + after),
      }
    })
}

function fill(text: string, targets: AttackTargets): string {
  const [, port = ''] = targets.host.split(':')
  const values = [
    ['HOST_E', targets.hostEscaped],
    ['HOST_C', targets.host.replace(':', String.raw`\:`)],
    ['HOST', targets.host],
    ['PORT', port],
    ['REL_SECRET', targets.secretRelative],
    ['SECRET', targets.secret],
    ['REL_OUT', targets.outsideRelative],
    ['OUT', targets.outside],
    ['FONT', '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'],
  ] as const
  return values.reduce((filled, [name, value]) => filled.replaceAll(name, value), text)
}
