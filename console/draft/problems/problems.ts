import { markIn } from '../../command/error-mark.ts'
import { offsetsOf } from '../marks.ts'
import type { ValidationMistake } from '../../../common/openapi/openapi-types.ts'
import type { Draft } from '../draft.ts'
import type { Marked, Range, Tone } from '../marks.ts'

/** Field of the playground that a problem belongs to. */
export type Field =
  | { readonly kind: 'command'; readonly index: number }
  | { readonly kind: 'input' | 'output'; readonly alias: string }
  | { readonly kind: 'option'; readonly name: string }
  | { readonly kind: 'zip' }
  | { readonly kind: 'whole' }

export interface Problem {
  readonly tone: Tone
  readonly field: Field
  readonly text: string
  /** Place in the text of the command, in UTF-16; null where it has none. */
  readonly at: Range | null
  /** Edit that removes the problem at once. */
  readonly remedy: Remedy | null
}

export type Remedy =
  | { readonly kind: 'declare'; readonly alias: string }
  | { readonly kind: 'replace'; readonly by: string }

/** A mistake of the service, at the field that it names. */
export function problemOf(mistake: ValidationMistake, { commands }: Draft): Problem {
  const field = fieldOf(mistake.loc)
  const text = field.kind === 'command' ? (commands[field.index] ?? '') : ''
  return {
    tone: 'bad',
    field,
    text: mistake.msg,
    at: placeOf(text, mistake.ctx),
    remedy: remedyOf(mistake),
  }
}

export function fieldOf(loc: readonly string[]): Field {
  const [, name = '', part] = loc
  switch (name) {
    case 'ffmpeg_command':
      return { kind: 'command', index: 0 }
    case 'ffmpeg_commands':
      return part === undefined ? { kind: 'whole' } : { kind: 'command', index: Number(part) }
    case 'input_files':
      return part === undefined ? { kind: 'whole' } : { kind: 'input', alias: part }
    case 'output_files':
      return part === undefined ? { kind: 'whole' } : { kind: 'output', alias: part }
    case 'input_compressed_folder':
      return { kind: 'zip' }
    case '':
      return { kind: 'whole' }
    default:
      return { kind: 'option', name }
  }
}

/** A warning names what it means by a quoted text or by "in command N". */
export function warningOf(text: string, { commands }: Draft): Problem {
  const index = Number(/ in command (\d+)/.exec(text)?.[1] ?? 0)
  const command = commands[index] ?? ''
  const wrong = /^FFmpeg has no (?:filter|encoder|muxer) '([^']+)'/.exec(text)?.[1]
  const meant = /(?:did you mean|; use) '([^']+)'/.exec(text)?.[1]
  const mark = wrong === undefined ? null : markIn(command, `'${wrong}'`)
  const option = /^(\w+) \S+ is lowered to /.exec(text)?.[1]
  return {
    tone: 'warning',
    text,
    field: option === undefined ? { kind: 'command', index } : { kind: 'option', name: option },
    at: mark === null ? null : offsetsOf(command, mark),
    remedy: mark === null || meant === undefined ? null : { kind: 'replace', by: meant },
  }
}

function placeOf(text: string, ctx: ValidationMistake['ctx']): Range | null {
  if (ctx === undefined || ctx.position === null || ctx.token === null) return null
  const from = ctx.position - 1
  return offsetsOf(text, { from, to: from + Array.from(ctx.token).length })
}

function remedyOf({ type, msg }: ValidationMistake): Remedy | null {
  if (type !== 'command_alias') return null
  const unknown = /^Unknown alias '((?:in|out)_\w+)'/.exec(msg)?.[1]
  if (unknown === undefined) return null
  const meant = /did you mean '([^']+)'\?/.exec(msg)?.[1]
  return meant === undefined
    ? { kind: 'declare', alias: unknown }
    : { kind: 'replace', by: `{{${meant}}}` }
}

/** Marks of one command. */
export function marksOf(problems: readonly Problem[], index: number): Marked[] {
  return problems.flatMap(({ field, at, tone }) =>
    field.kind === 'command' && field.index === index && at !== null ? [{ ...at, tone }] : [],
  )
}
