import { cancel, logs, show, status } from './commands/existing-command.ts'
import { files } from './commands/files.ts'
import { list } from './commands/list.ts'
import { run } from './commands/run.ts'
import { usage } from './commands/usage.ts'
import { validate } from './commands/validate.ts'
import { helpFor, overview } from './help.ts'
import { nearest } from './terminal/nearest.ts'
import { UsageError } from './terminal/parse.ts'
import { ApiError } from './client/errors.ts'
import type { CliCommand, Shell } from './terminal/shell.ts'

const commands: Readonly<Record<string, CliCommand>> = {
  run,
  validate,
  list,
  status,
  show,
  logs,
  cancel,
  files,
  usage,
}

/** Resolves with the exit code: 0 done, 1 failed or refused, 2 wrong command line, 130 Ctrl-C. */
export async function runCli(argv: string[], version: string, shell: Shell): Promise<number> {
  const [name = '', ...args] = argv
  if (name === '--version') {
    shell.print(version)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (wantsHelp(name, args)) {
    shell.write(command === undefined ? overview : helpFor(name))
    return 0
  }
  try {
    if (command === undefined) throw new UsageError(unknown(name))
    return await command(args, shell)
  } catch (error) {
    shell.progress.say(`cloud-ffmpeg: ${sentence(error, shell)}`)
    if (error instanceof UsageError) {
      const help = command === undefined ? 'cloud-ffmpeg --help' : `cloud-ffmpeg ${name} --help`
      shell.progress.say(`'${help}' shows more`)
      return 2
    }
    return shell.signal.aborted ? 130 : 1
  }
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

function sentence(error: unknown, { signal }: Shell): string {
  if (signal.aborted) return 'interrupted'
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof ApiError)) return error.message
  const hint = error.status === 401 ? ' (CLOUD_FFMPEG_API_KEY)' : ''
  const request = error.requestId === null ? '' : ` [request ${error.requestId}]`
  return `${error.detail}${hint}${request}`
}
