import { cancel, logs, show, status } from './commands/existing-command.ts'
import { completion } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { download } from './commands/download.ts'
import { files } from './commands/files.ts'
import { keys } from './commands/keys.ts'
import { list } from './commands/list.ts'
import { listProfiles, login, logout, use } from './commands/login.ts'
import { open } from './commands/open.ts'
import { rerun } from './commands/rerun.ts'
import { run } from './commands/run.ts'
import { usage } from './commands/usage.ts'
import { validate } from './commands/validate.ts'
import { webhooks } from './commands/webhooks.ts'
import { helpFor, overview } from './terminal/help.ts'
import { nearest } from './terminal/nearest.ts'
import { UsageError } from './terminal/parse.ts'
import { ApiError, NoAnswerError, UnexpectedAnswer } from './client/errors.ts'
import { shellOf } from './terminal/shell.ts'
import type { CliCommand, Machine, Shell } from './terminal/shell.ts'

const commands: Readonly<Record<string, CliCommand>> = {
  run,
  rerun,
  validate,
  list,
  status,
  show,
  logs,
  cancel,
  download,
  open,
  files,
  webhooks,
  keys,
  usage,
  login,
  logout,
  profiles: listProfiles,
  use,
  doctor,
  completion,
}

/** Resolves with the exit code: 0 done, 1 failed or refused, 2 wrong command line, 3 service away, 130 Ctrl-C. */
export async function runCli(argv: string[], version: string, machine: Machine): Promise<number> {
  const { profile, rest } = splitProfile(argv)
  const shell = shellOf(machine, profile ?? null)
  const [name = '', ...args] = rest
  if (name === '--version') {
    shell.print(version)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (profile !== undefined && wantsHelp(name, args)) {
    shell.write(command === undefined ? overview : helpFor(name))
    return 0
  }
  try {
    if (profile === undefined) throw new UsageError('-P takes the name of a profile')
    if (command === undefined) throw new UsageError(unknown(name))
    return await command(args, shell)
  } catch (error) {
    shell.progress.say(`cloud-ffmpeg: ${sentence(error, shell)}`)
    if (error instanceof UsageError) {
      const help = command === undefined ? 'cloud-ffmpeg --help' : `cloud-ffmpeg ${name} --help`
      shell.progress.say(`'${help}' shows more`)
      return 2
    }
    if (shell.signal.aborted) return 130
    return isAway(error) ? 3 : 1
  }
}

/** `-P NAME` before the command. @returns a `profile` of undefined where its name is missing */
function splitProfile(argv: string[]): {
  readonly profile: string | null | undefined
  readonly rest: string[]
} {
  const [flag = '', name, ...rest] = argv
  return ['-P', '--profile'].includes(flag)
    ? { profile: name, rest }
    : { profile: null, rest: argv }
}

function unknown(name: string): string {
  const meant = nearest(name, Object.keys(commands))
  return `unknown command '${name}'${meant === null ? '' : `; did you mean '${meant}'?`}`
}

/** After `--`, `--help` is an argument of FFmpeg. */
function wantsHelp(name: string, args: string[]): boolean {
  const end = args.indexOf('--')
  const own = [name, ...(end === -1 ? args : args.slice(0, end))]
  return ['', 'help'].includes(name) || own.includes('--help') || own.includes('-h')
}

/** The same call may succeed later, without a change of it. */
function isAway(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true
  return error instanceof ApiError && [502, 503, 504].includes(error.status)
}

function sentence(error: unknown, { signal, connection }: Shell): string {
  if (signal.aborted) return 'interrupted'
  if (!(error instanceof Error)) return String(error)
  if (error instanceof NoAnswerError || error instanceof UnexpectedAnswer) {
    return `${error.message} (${urlSource(connection)})`
  }
  if (!(error instanceof ApiError)) return error.message
  const hint = error.status === 401 ? ` (${keySource(connection)})` : ''
  const request = error.requestId === null ? '' : ` [request ${error.requestId}]`
  return `${error.detail}${hint}${request}`
}

/** What the address is from; `login` alone has none yet, and takes it as an option. */
function urlSource(connection: Shell['connection']): string {
  try {
    const { url, urlFrom } = connection()
    return `${url} is from ${urlFrom}`
  } catch {
    return 'the address is from --url'
  }
}

/** What a refused key is from; of `login`, which has none yet, the answer itself. */
function keySource(connection: Shell['connection']): string {
  try {
    return connection().keyFrom
  } catch {
    return 'the key that was given'
  }
}
