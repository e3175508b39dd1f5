import path from 'node:path'
import { linesOf } from '../../support/lists.ts'
import { attackCommands } from '../attack-commands.ts'
import type { AttackAddresses, AttackSubmission } from './attack-submission.ts'

/** Commands that parser and sandbox are tested with; the parser refuses each. */
export function refusedCommands({ listener }: AttackAddresses): AttackSubmission[] {
  const known = attackCommands({
    secret: '/etc/passwd',
    secretRelative: '../../etc/passwd',
    outside: '/tmp',
    outsideRelative: '../../tmp',
    host: listener,
    job: '/job/work',
  })
  return known.map(({ id, attack }) => zip(id, attack))
}

/** Further commands, of `commands.txt`, and one for each address in each direction. */
export function commandAttacks({ listener, own }: AttackAddresses): AttackSubmission[] {
  const urls = [`http://${listener}/a.mp4`, 'http://169.254.169.254/latest/meta-data/', ...own]
  return [
    ...linesOf(path.join(import.meta.dirname, 'commands.txt')).map((line) => read(line, listener)),
    ...urls.map((url) => zip(`input from ${url}`, `-i ${url} -c copy a.mkv`)),
    ...urls.map((url) => zip(`output to ${url}`, `-i in.mp4 -c copy -f mpegts ${url}`)),
  ]
}

function read(line: string, listener: string): AttackSubmission {
  const [, name = '', text = ''] = /^(.+?): (.+)$/.exec(line) ?? []
  const command = text
    .replaceAll('HOST', listener)
    .replaceAll(/U\+([0-9A-F]{4})/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
  return command.includes('{{')
    ? { name, command, form: 'files', files: { 'one.mp4': '', 'two.txt': 'two' } }
    : zip(name, command)
}

function zip(name: string, command: string): AttackSubmission {
  return { name, command, form: 'zip', files: {} }
}
