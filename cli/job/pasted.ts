import { isProgramName } from '../../common/command-line/read/mistakes-at-start.ts'
import { plainReading } from '../../common/command-line/read/reading.ts'
import { splitCommand } from '../../common/command-line/read/tokens.ts'
import { isUrl, missingFile, notStandardStream } from './local-file.ts'
import {
  filterOptions,
  readOption,
  sourceOptions,
} from '../../common/command-line/grammar/option-table.ts'
import { toCommandError } from '../../common/command-line/model/refusal.ts'
import { withFilterFiles } from './filter-sources.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** A command as it was written for FFmpeg on this machine, in the form of the service. */
export interface Pasted {
  /** `in_1=clip.mov`, as `--input` takes it. */
  readonly inputs: readonly string[]
  /** `out_1=small.mp4`, as `--output` takes it. */
  readonly outputs: readonly string[]
  /** FFmpeg's arguments with placeholders. */
  readonly args: readonly string[]
  /** `-y`, as FFmpeg takes it. */
  readonly overwrites: boolean
}

/**
 * Separates `run --vcpu 4 ffmpeg -i …` into options of this tool and arguments of FFmpeg, which may be one text.
 * @returns null where no program name stands before `--`
 */
export function splitAtProgram(
  args: readonly string[],
): { readonly own: string[]; readonly ffmpeg: string[] } | null {
  const end = args.indexOf('--')
  const before = end === -1 ? args : args.slice(0, end)
  const at = before.findIndex((argument) => isProgramName(argument))
  if (at !== -1) return { own: args.slice(0, at), ffmpeg: args.slice(at + 1) }
  const text = end === -1 ? (args.at(-1) ?? '') : ''
  if (text.includes('{{') || !isProgramName(text.trim().split(/\s/, 1)[0] ?? '')) return null
  const split = splitCommand(text)
  if (!split.ok) throw new UsageError(toCommandError(split.refusal, text, 0).message)
  const words = split.tokens.map((token) => plainReading(token).text)
  return { own: args.slice(0, -1), ffmpeg: words.slice(1) }
}

/**
 * Files that exist and URLs become inputs, and the name that ends each group of options becomes an output.
 * @param takesMore inputs may be in an archive, which is not looked into
 * @throws UsageError for an input that is neither, and for what the service cannot write
 */
export async function readPasted(
  args: readonly string[],
  exists: (file: string) => Promise<boolean>,
  takesMore: boolean,
): Promise<Pasted> {
  const aliases = new Map<string, string>()
  const outputs: string[] = []
  const written: string[] = []
  let format: string | null = null
  const placeholder = (source: string): string => {
    const alias = aliases.get(source) ?? `in_${aliases.size + 1}`
    aliases.set(source, alias)
    return `{{${alias}}}`
  }

  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? ''
    if (!isOption(argument)) {
      written.push(output(argument))
      format = null
      continue
    }
    written.push(argument)
    const { name, takesValue } = readOption(argument)
    if (!takesValue || at + 1 >= args.length) continue
    at += 1
    const value = args[at] ?? ''
    written.push(await valueOf(name, value))
    format = name === 'f' ? value : name === 'i' ? null : format
  }
  const inputs = Array.from(aliases, ([source, alias]) => `${alias}=${source}`)
  return { inputs, outputs, args: written, overwrites: args.includes('-y') }

  async function valueOf(name: string, value: string): Promise<string> {
    if (name === 'i') return input(value)
    if (sourceOptions.has(name) && (await exists(value))) return placeholder(value)
    return filterOptions.has(name) ? withFilterFiles(value, exists, placeholder) : value
  }

  async function input(value: string): Promise<string> {
    if (format === 'lavfi') return withFilterFiles(value, exists, placeholder)
    if (value.startsWith('{{')) return value
    notStandardStream(value.startsWith('pipe:') ? '-' : value, '-i')
    if (isUrl(value) || (await exists(value))) return placeholder(value)
    if (takesMore) return value
    if (value.includes('%')) {
      throw new UsageError(
        `${value} names several files: pack them into a zip archive, and pass it with --input-zip before 'ffmpeg'`,
      )
    }
    throw new UsageError(missingFile(value))
  }

  function output(value: string): string {
    // FFmpeg discards what this muxer gets, so the name is of no file.
    if (format === 'null') return '-'
    if (value.startsWith('{{')) return value
    notStandardStream(value.startsWith('pipe:') ? '-' : value, 'output')
    if (value.includes('%')) {
      throw new UsageError(
        `${value} makes several files: write the command after '--', with -o OUTPUT_FOLDER=files.zip for all of them`,
      )
    }
    const prefix = /\.m3u8$/i.test(value) ? 'out_playlist_' : 'out_'
    const number =
      outputs.filter((each) => each.startsWith(prefix) && /^\d+=/.test(each.slice(prefix.length)))
        .length + 1
    outputs.push(`${prefix}${number}=${value}`)
    return `{{${prefix}${number}}}`
  }
}

/** `-` alone is a name. */
function isOption(argument: string): boolean {
  return argument.length > 1 && argument.startsWith('-')
}
