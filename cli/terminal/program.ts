import { Command, Option } from 'commander'
import { verbSentence } from './command-line-problem.ts'
import { UsageError } from './usage-error.ts'
import type { CliCommand, OptionTable } from './cli-command.ts'

export type Commands = Readonly<Record<string, CliCommand>>

type Run = NonNullable<CliCommand['run']>
/** Runs the command that the arguments name; `behind` is what its `split` has kept from commander. */
type Start = (run: Run, values: object, behind: unknown) => Promise<void>

interface Surroundings {
  readonly version: string
  /** Takes the texts of `--help` and `--version`. */
  readonly write: (text: string) => void
  readonly start: Start
}

/** The tool as commander's tree of commands, which help, completion and docs/cli.md read. */
export function programOf(commands: Commands, { version, write, start }: Surroundings): Command {
  const program = new Command('cloud-ffmpeg')
    .description('Runs FFmpeg commands in a Cloud FFmpeg service.')
    .usage('[options] COMMAND')
    .version(version, '--version', 'print the version')
    .option('-P, --profile <NAME>', 'use this profile in place of the current one')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => undefined })
    .helpCommand('help [COMMAND]', 'what a command does, and its options')
    .configureHelp({ subcommandTerm: (command) => command.name(), optionDescription })
    .addHelpText('after', afterOverview)
    .action(() => program.outputHelp())
  addCommands(program, commands, start)
  return program
}

function addCommands(parent: Command, commands: Commands, start: Start): void {
  for (const [name, declared] of Object.entries(commands)) addCommand(parent, name, declared, start)
}

function addCommand(parent: Command, name: string, declared: CliCommand, start: Start): void {
  const { summary, about, usage, example, args = [], options = {}, verbs = {} } = declared
  const command = parent
    .command(name)
    .summary(summary)
    .description(about ?? `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
  if (usage !== undefined) command.usage(usage)
  for (const each of args) command.argument(each)
  addOptions(command, options)
  if (example !== undefined) command.addHelpText('after', `\nExample:\n  cloud-ffmpeg ${example}`)
  let behind: unknown
  const { split } = declared
  if (split !== undefined) {
    const parse = command.parseOptions.bind(command)
    command.parseOptions = (given) => {
      const parts = split(given)
      behind = parts.behind
      return parse([...parts.own])
    }
  }
  command.action(async () => {
    if (declared.run === undefined) throw new UsageError(verbSentence(command, null))
    const given = args.map((each, index): [string, unknown] => [
      plainName(each),
      command.processedArgs[index],
    ])
    await start(declared.run, { ...command.opts(), ...Object.fromEntries(given) }, behind)
  })
  addCommands(command, verbs, start)
}

export function addOptions(command: Command, options: OptionTable): Command {
  for (const [flags, given] of Object.entries(options)) {
    const facts = typeof given === 'string' ? { text: given } : given
    const option = new Option(flags, facts.text)
    if (facts.repeated) {
      option.default([]).argParser((value: string, others: string[]) => [...others, value])
    } else option.default(facts.default ?? (option.isBoolean() ? false : undefined))
    command.addOption(option)
  }
  return command
}

function optionDescription({ description, defaultValue }: Option): string {
  return typeof defaultValue === 'string'
    ? `${description} (default: ${defaultValue})`
    : description
}

/** `FILE_ID` of `[FILE_ID...]` */
function plainName(argument: string): string {
  return argument.replaceAll(/[^A-Z_]/g, '')
}

const afterOverview = `
  cloud-ffmpeg run -i clip.mov -o small.mp4 '-i {{in}} -vf scale=-2:480 {{out}}'
  cloud-ffmpeg run ffmpeg -i clip.mov -vf scale=-2:480 small.mp4

CLOUD_FFMPEG_URL is the address of the service, CLOUD_FFMPEG_API_KEY a key of your account; without them the
current profile is used, and 'cloud-ffmpeg -P NAME COMMAND' uses another.
COMMAND_ID may be the first or last characters of an id.
'cloud-ffmpeg COMMAND --help' shows more. Exit codes: 0 done, 1 failed or refused, 2 wrong command
line, 3 the service does not answer now, 130 ended by Ctrl-C.`
