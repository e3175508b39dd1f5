import path from 'node:path'
import { priorities } from '../../common/domain/priority.ts'
import type { Priority } from '../../common/domain/priority.ts'
import { filesByAlias, folderAlias, pairs, withNames } from './aliases.ts'
import { isUrl, notStandardStream } from './local-file.ts'
import { wholeNumber, UsageError } from '../terminal/usage-error.ts'
import { stat } from 'node:fs/promises'
import type { OptionValues } from '../terminal/cli-command.ts'

/** The job that `run` submits and `validate` checks. */
export interface Job {
  readonly inputs: ReadonlyMap<string, Source>
  /** A zip archive in place of inputs. */
  readonly archive: Source | null
  /** Alias to local path. */
  readonly outputs: ReadonlyMap<string, string>
  /** One per FFmpeg command. */
  readonly commands: readonly string[]
  readonly vcpuCount: number | null
  readonly timeoutSeconds: number | null
  readonly isPrivate: boolean
  readonly presignedSeconds: number | null
  readonly priority: Priority | null
  readonly metadata: Readonly<Record<string, string>>
}

export type Source =
  { readonly kind: 'url'; readonly url: string } | { readonly kind: 'file'; readonly path: string }

export const jobOptions = {
  '-i, --input <FILE|URL>': {
    text: 'an input; files of this machine are uploaded; in_NAME=FILE names it',
    repeated: true,
  },
  '-o, --output <FILE>': {
    text: 'an output, and where it goes; out_NAME=FILE names it; out_playlist_…=x.m3u8 for HLS; OUTPUT_FOLDER=x.zip for all files that the command creates',
    repeated: true,
  },
  '--input-zip <FILE|URL>': 'a zip archive with the inputs, in place of -i',
  '--vcpu <NUMBER>': "vCPUs, 8 if left out; lowered to the plan's maximum",
  '--timeout <SECONDS>': 'longest run of each FFmpeg command, 300 if left out',
  '--private': 'store the outputs so that only presigned URLs open them',
  '--presigned-ttl <SECONDS>': 'with --private: the record has URLs that open them, up to 604800',
  '--priority <PRIORITY>': 'low, normal or high: order among your own waiting commands',
  '--metadata <KEY=VALUE>': {
    text: "returned with the command's record; up to ten",
    repeated: true,
  },
} as const

/**
 * The arguments after the first `--` are FFmpeg's, or the last one if it is a whole command; each further `--` begins the next command of a chain.
 * @throws UsageError naming the option that is wrong
 */
export function splitAtDashes(args: readonly string[]): {
  readonly own: string[]
  readonly commands: string[][]
} {
  const last = args.at(-1)
  // A whole command in quotes needs no dashes before it. One without placeholders begins with an option of FFmpeg.
  const isCommand = last !== undefined && /\s/.test(last) && /\{\{|^-[^-\s]/.test(last)
  if (!args.includes('--') && isCommand) {
    return { own: args.slice(0, -1), commands: [[last]] }
  }
  const parts: string[][] = [[]]
  for (const argument of args) {
    if (argument === '--') parts.push([])
    else parts.at(-1)?.push(argument)
  }
  const [own = [], ...commands] = parts
  return { own, commands }
}

/** Values of `jobOptions`. */
export type JobValues = OptionValues<typeof jobOptions>

export function jobFrom(values: JobValues, commands: readonly string[][]): Job {
  if (commands.length === 0 || commands.some((args) => args.length === 0)) {
    throw new UsageError("the FFmpeg arguments are missing: write them after '--'")
  }
  const outputs = filesByAlias('output', values.output)
  if (outputs.size === 0 && !commands.every(isAnalysis)) {
    throw new UsageError(
      'no output: name each with -o, for example -o out_1=small.mp4; an analysis without one ends with -f null -',
    )
  }
  const inputs = filesByAlias('input', values.input)
  const timeout = values.timeout
  if (timeout !== undefined && !(Number(timeout) > 0)) {
    throw new UsageError(`--timeout takes seconds, not '${timeout}'`)
  }
  return {
    inputs: new Map(Array.from(inputs, ([alias, text]) => [alias, sourceFrom(text, alias)])),
    archive: values.inputZip === undefined ? null : sourceFrom(values.inputZip, '--input-zip'),
    outputs: new Map(
      Array.from(outputs, ([alias, file]) => [alias, notStandardStream(file, alias)]),
    ),
    commands: commands.map((args) =>
      withNames(commandText(args), [...inputs.keys()], [...outputs.keys()]),
    ),
    vcpuCount: values.vcpu === undefined ? null : wholeNumber('vcpu', values.vcpu),
    timeoutSeconds: timeout === undefined ? null : Number(timeout),
    isPrivate: values.private,
    presignedSeconds:
      values.presignedTtl === undefined ? null : wholeNumber('presigned-ttl', values.presignedTtl),
    priority: values.priority === undefined ? null : priorityFrom(values.priority),
    metadata: Object.fromEntries(pairs('metadata', values.metadata, 'order=17')),
  }
}

/** FFmpeg writes no file, and its log is the result. */
function isAnalysis(args: readonly string[]): boolean {
  return /-f\s+null\b/.test(args.join(' '))
}

function priorityFrom(text: string): Priority {
  const found = priorities.find((priority) => priority === text)
  if (found === undefined) {
    throw new UsageError(`--priority takes ${priorities.join(', ')}, not '${text}'`)
  }
  return found
}

function sourceFrom(text: string, what: string): Source {
  if (isUrl(text)) return { kind: 'url', url: text }
  return { kind: 'file', path: path.resolve(notStandardStream(text, what)) }
}

/** The local files to upload first. */
export function localFiles({ inputs, archive }: Job): string[] {
  const sources = [...inputs.values(), ...(archive === null ? [] : [archive])]
  return [...new Set(sources.flatMap((one) => (one.kind === 'file' ? [one.path] : [])))]
}

/**
 * Runs before uploads and the submission.
 * @throws UsageError if an output could not be written later
 */
export async function checkOutputs(
  outputs: ReadonlyMap<string, string>,
  overwrite: boolean,
): Promise<void> {
  if (outputs.has(folderAlias) && outputs.size > 1) {
    throw new UsageError(`${folderAlias} means all outputs; remove the other -o options`)
  }
  for (const [alias, file] of outputs) {
    const found = await stat(file).catch(() => null)
    if (file.endsWith('/') || found?.isDirectory()) {
      throw new UsageError(`${alias}: ${file} is a folder, name a file in it`)
    }
    if (found !== null && !overwrite) {
      throw new UsageError(`${alias}: ${file} exists already; -y replaces it`)
    }
  }
}

/**
 * One command string from the arguments after the user's shell has parsed them. The service splits it
 * again and parses a token that begins with a quote as a POSIX shell does, also in filter graphs, so
 * each argument reaches FFmpeg unchanged.
 * @param args a single argument with a blank is a whole command that the user has quoted already
 */
export function commandText(args: readonly string[]): string {
  const [only] = args
  if (args.length === 1 && only !== undefined && /\s/.test(only)) return only
  return args.map(quoted).join(' ')
}

function quoted(argument: string): string {
  if (/^[A-Za-z0-9_./:=,+@%^-]+$/.test(argument)) return argument
  // Placeholders are parsed before quotes, so they need none; unquoted, the text stays legible.
  if (/^\{\{\w+\}\}$/.test(argument)) return argument
  return `'${argument.replaceAll("'", `'\\''`)}'`
}
