import { CommanderError } from 'commander'
import { commands } from './commands/all.ts'
import { commandLineProblem, helpOf, reachedCommand } from './terminal/command-line-problem.ts'
import { programOf } from './terminal/program.ts'
import { UsageError } from './terminal/usage-error.ts'
import { ApiError, NoAnswerError, UnexpectedAnswer } from './client/errors.ts'
import { shellOf } from './terminal/shell.ts'
import type { Machine, Shell } from './terminal/shell.ts'

/** Resolves with the exit code: 0 done, 1 failed or refused, 2 wrong command line, 3 service away, 130 Ctrl-C. */
export async function runCli(argv: string[], version: string, machine: Machine): Promise<number> {
  let exitCode = 0
  const shell = (): Shell => shellOf(machine, program.opts<{ profile?: string }>().profile ?? null)
  const program = programOf(commands, {
    version,
    write: machine.write,
    async start(run, values, behind) {
      exitCode = await run(values as never, shell(), { program, behind } as never)
    },
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (thrown) {
    if (thrown instanceof CommanderError && isAnswered(thrown)) return 0
    const command = reachedCommand(program)
    const error = thrown instanceof CommanderError ? commandLineProblem(thrown, command) : thrown
    const { progress, signal } = machine
    progress.say(`cloud-ffmpeg: ${sentence(error, shell())}`)
    if (error instanceof UsageError) {
      progress.say(`'${helpOf(command)}' shows more`)
      return 2
    }
    if (signal.aborted) return 130
    return isAway(error) ? 3 : 1
  }
}

/** The version or a help was printed. */
function isAnswered({ code }: CommanderError): boolean {
  return ['commander.version', 'commander.help', 'commander.helpDisplayed'].includes(code)
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

/** Source of the address; only `login` has no profile yet and takes it as an option. */
function urlSource(connection: Shell['connection']): string {
  try {
    const { url, urlFrom } = connection()
    return `${url} is from ${urlFrom}`
  } catch {
    return 'the address is from --url'
  }
}

/** Source of a refused key; only `login` has no profile yet and prompts for the key. */
function keySource(connection: Shell['connection']): string {
  try {
    return connection().keyFrom
  } catch {
    return 'the key that was given'
  }
}
