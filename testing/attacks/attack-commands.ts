import { readdirSync } from 'node:fs'
import path from 'node:path'
import { linesOf } from '../support/lists.ts'

/** Files and addresses that the attacks aim at. */
export interface AttackTargets {
  /** File that no rule allows, absolute and relative to the working directory. */
  readonly secret: string
  readonly secretRelative: string
  /** Folder outside the job that the user may write, absolute and relative. */
  readonly outside: string
  readonly outsideRelative: string
  /** Host and port of a listener. */
  readonly host: string
  /** Folder of the inputs. */
  readonly job: string
}

export interface AttackCommand {
  readonly id: string
  /** Arguments after `ffmpeg -hide_banner -nostdin -y`. */
  readonly attack: string
  /** Part of the command that the refusal names. */
  readonly token: string
  /** The same command without the attack; allowed with a zip and OUTPUT_FOLDER. */
  readonly twin: string
}

const folder = path.join(import.meta.dirname, 'commands')
const lists = readdirSync(folder).toSorted()

/**
 * Commands that read, write, connect or load code outside the job with an FFmpeg 7 without a sandbox. Parser, sandbox and
 * REST API are tested with the same lists. A line of `commands/*.txt` is an id, then the arguments with the attack as
 * `⟦attack⇒harmless twin⟧`, or as `⟦attack⇒twin⇒token⟧` where the refusal names another part of the command.
 */
export function attackCommands(targets: AttackTargets): AttackCommand[] {
  return lists
    .flatMap((list) => linesOf(path.join(folder, list)))
    .map((line) => read(line, targets))
}

function read(line: string, targets: AttackTargets): AttackCommand {
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
}

/** `HOST_E` and `HOST_C` have their colon escaped for a graph within quotes and for an option's value. */
function fill(text: string, targets: AttackTargets): string {
  const [, port = ''] = targets.host.split(':')
  const values = [
    ['HOST_E', targets.host.replace(':', String.raw`\\:`)],
    ['HOST_C', targets.host.replace(':', String.raw`\:`)],
    ['HOST', targets.host],
    ['PORT', port],
    ['REL_SECRET', targets.secretRelative],
    ['SECRET', targets.secret],
    ['REL_OUT', targets.outsideRelative],
    ['OUT', targets.outside],
    ['JOB', targets.job],
    ['FONT', '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'],
  ] as const
  return values.reduce((filled, [name, value]) => filled.replaceAll(name, value), text)
}
