import type { Command } from 'commander'
import type { Shell } from './shell.ts'

/** Options by their flags in commander's form, such as `-f, --follow` and `--step <NUMBER>`. */
export type OptionTable = Readonly<Record<string, string | OptionFacts>>

interface OptionFacts {
  readonly text: string
  readonly default?: string
  /** The option may be given several times. */
  readonly repeated?: true
}

type LongName<Flags> = Flags extends `${string}--${infer Long}`
  ? Long extends `${infer Name} <${string}`
    ? Name
    : Long
  : never
type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name
/** commander's name of the value: `dryRun` of `--dry-run`, `download` of `--no-download`. */
type Key<Flags> = LongName<Flags> extends `no-${infer Name}` ? Camel<Name> : Camel<LongName<Flags>>
type Value<Flags, Facts> = Flags extends `${string}<${string}`
  ? Facts extends { readonly repeated: true }
    ? readonly string[]
    : Facts extends { readonly default: string }
      ? string
      : string | undefined
  : boolean

export type OptionValues<Table> = {
  readonly [Flags in keyof Table as Key<Flags>]: Value<Flags, Table[Flags]>
}

type ArgumentName<Text> = Text extends `[${infer Name}...]`
  ? Name
  : Text extends `[${infer Name}]` | `<${infer Name}>`
    ? Name
    : never
type ArgumentValues<Texts extends readonly string[]> = {
  readonly [Text in Texts[number] as ArgumentName<Text>]: Text extends `[${string}...]`
    ? readonly string[]
    : Text extends `[${string}`
      ? string | undefined
      : string
}

/** Facts that parsing, `--help`, completion and docs/cli.md follow from. */
interface Facts {
  /** A line in the list of commands, and the comment of the example in the docs. */
  readonly summary: string
  /** Paragraph of the help before the options, if the summary is not enough. */
  readonly about?: string
  /** Replaces the usage that follows from options and arguments. */
  readonly usage?: string
  /** A command line, without the name of the tool; a group of verbs has none. */
  readonly example?: string
  readonly options?: OptionTable
  /** Arguments as commander has them: `<FILE_ID>`, `[PROFILE]`, `[FILE_ID...]`. */
  readonly args?: readonly string[]
  readonly verbs?: Readonly<Record<string, CliCommand>>
}

/** A command of the tool. */
export interface CliCommand extends Facts {
  /** Separates the arguments for FFmpeg, which commander must not read. */
  readonly split?: (args: readonly string[]) => Split<unknown>
  /** Resolves with the exit code. */
  readonly run?: (values: never, shell: Shell, call: Call<never>) => Promise<number>
}

export interface Split<Behind> {
  readonly own: readonly string[]
  readonly behind: Behind
}

export interface Call<Behind> {
  /** All commands of the tool, as commander has them. */
  readonly program: Command
  readonly behind: Behind
}

/** Types the values that `run` gets by the options and arguments beside it. */
export function cliCommand<
  const Options extends OptionTable = Record<never, string>,
  const Args extends readonly string[] = readonly [],
  Behind = undefined,
>(
  command: Facts & {
    readonly options?: Options
    readonly args?: Args
    readonly split?: (args: readonly string[]) => Split<Behind>
    readonly run?: (
      values: OptionValues<Options> & ArgumentValues<Args>,
      shell: Shell,
      call: Call<Behind>,
    ) => Promise<number>
  },
): CliCommand {
  return command
}
