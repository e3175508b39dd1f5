import { placeholdersIn } from './marks.ts'
import type { Submission } from '../../cli/client/client-with-effects.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'

/** A command that is being written. */
export interface Draft {
  readonly inputs: readonly DraftInput[]
  /** URL of a zip archive in place of inputs; null: inputs. */
  readonly zip: string | null
  /** More than one is a chain. */
  readonly commands: readonly string[]
  /** null: all files that the command makes, as a zip. */
  readonly outputs: readonly DraftOutput[] | null
  readonly options: DraftOptions
}

export interface DraftInput {
  readonly alias: string
  /** Empty while it has no file. */
  readonly url: string
  /** The stored or uploaded file that it refers to; null: none. */
  readonly file: DraftFile | null
  /** Example of a recipe: a name such as `film.mp4`. */
  readonly hint: string | null
}

export interface DraftFile {
  readonly name: string
  readonly mbytes: number | null
  /** Id of the upload that will have its URL; null once it has. */
  readonly upload: string | null
}

export interface DraftOutput {
  readonly alias: string
  readonly name: string
}

/** Texts as typed: the service reads numbers, and says what is wrong with them. Empty: the default. */
export interface DraftOptions {
  readonly vcpus: string
  readonly seconds: string
  readonly ttl: string
  readonly isPrivate: boolean
  /** Lifetime of presigned URLs in seconds. */
  readonly presignedTtl: string
  readonly priority: 'low' | 'normal' | 'high'
  readonly webhookUrl: string
  /** A value of a request keeps its type until it is edited. */
  readonly metadata: readonly (readonly [key: string, value: string | number | boolean])[]
}

export const usualOptions: DraftOptions = {
  vcpus: '',
  seconds: '',
  ttl: '',
  isPrivate: false,
  priority: 'normal',
  webhookUrl: '',
  presignedTtl: '',
  metadata: [],
}

export const emptyDraft: Draft = {
  inputs: [{ alias: 'in_1', url: '', file: null, hint: null }],
  zip: null,
  commands: [''],
  outputs: [{ alias: 'out_1', name: 'out.mp4' }],
  options: usualOptions,
}

/**
 * An input without a file that no command names is left out, so that a command which generates its
 * pictures can run as it is.
 * @param urlOf of an input that has a file
 */
export function requestOf(draft: Draft, urlOf = (input: DraftInput) => input.url): Submission {
  const { commands, zip, outputs, options } = draft
  const inputs = draft.inputs.filter((one) => hasFile(one) || isNamed(draft, one.alias))
  const fields = {
    output_files:
      outputs === null ? 'OUTPUT_FOLDER' : named(outputs.map((one) => [one.alias, one.name])),
    ...(zip === null
      ? { input_files: named(inputs.map((one) => [one.alias, urlOf(one)])) }
      : { input_compressed_folder: zip }),
    ...fieldsOf(options),
    ...(commands.length === 1
      ? { ffmpeg_command: commands[0] ?? '' }
      : { ffmpeg_commands: [...commands] }),
  }
  // Numbers are sent as they were typed, which the types of the client do not know.
  return fields as unknown as Submission
}

function fieldsOf(options: DraftOptions): Record<string, unknown> {
  const { vcpus, seconds, ttl, isPrivate, presignedTtl, priority, webhookUrl } = options
  const metadata = options.metadata.filter(([key]) => key.trim() !== '')
  return {
    ...(vcpus.trim() === '' ? {} : { vcpu_count: number(vcpus) }),
    ...(seconds.trim() === '' ? {} : { max_command_run_seconds: number(seconds) }),
    ...(ttl.trim() === '' ? {} : { output_ttl_seconds: number(ttl) }),
    ...(isPrivate ? { is_private: true } : {}),
    ...(presignedTtl.trim() === '' ? {} : { presigned_ttl_seconds: number(presignedTtl) }),
    ...(priority === 'normal' ? {} : { priority }),
    ...(webhookUrl.trim() === '' ? {} : { webhook_url: webhookUrl.trim() }),
    ...(metadata.length === 0 ? {} : { metadata: named(metadata) }),
  }
}

function number(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text
}

/** @param request as its record has it */
export function draftFrom(request: OriginalRequest): Draft {
  const { input_files: inputs, output_files: outputs } = request
  const zip =
    'input_compressed_folder' in request ? (request.input_compressed_folder ?? null) : null
  return {
    inputs: Object.entries(inputs ?? {}).map(([alias, url]) => ({
      alias,
      url,
      hint: null,
      file: null,
    })),
    zip,
    commands:
      'ffmpeg_commands' in request ? [...request.ffmpeg_commands] : [request.ffmpeg_command],
    outputs:
      typeof outputs === 'string'
        ? null
        : Object.entries(outputs).map(([alias, name]) => ({ alias, name })),
    options: {
      vcpus: String(request.vcpu_count),
      seconds: String(request.max_command_run_seconds),
      ttl: request.output_ttl_seconds === null ? '' : String(request.output_ttl_seconds),
      isPrivate: request.is_private,
      presignedTtl: String(request.presigned_ttl_seconds ?? ''),
      priority: request.priority ?? 'normal',
      webhookUrl: request.webhook_url ?? '',
      metadata: Object.entries(request.metadata ?? {}),
    },
  }
}

export function isBlank({ commands }: Draft): boolean {
  return commands.every((text) => text.trim() === '')
}

export function hasFile({ url, file }: DraftInput): boolean {
  return url.trim() !== '' || (file !== null && file.upload !== null)
}

/** Aliases that a command may name; null where an archive or a folder leaves that open. */
export function declaredAliases({ inputs, outputs, zip }: Draft): readonly string[] | null {
  if (zip !== null || outputs === null) return null
  return [...inputs, ...outputs].map(({ alias }) => alias)
}

function isNamed({ commands }: Draft, alias: string): boolean {
  return commands.some((text) => placeholdersIn(text).some((one) => one.alias === alias))
}

/** Aliases of inputs that a command reads and that have no file, nor one that is uploaded now. */
export function missingFiles(draft: Draft): string[] {
  if (draft.zip !== null) return draft.zip.trim() === '' ? ['the zip archive'] : []
  return draft.inputs
    .filter((one) => !hasFile(one) && isNamed(draft, one.alias))
    .map(({ alias }) => alias)
}

/** Why a draft cannot become a chain, which names each of its files; null where it can. */
export function chainRefusal({ zip, outputs }: Draft): string | null {
  if (outputs === null) return 'A zip of all files has one command'
  return zip === null ? null : 'A zip archive has one command'
}

/** The first name of a kind that is free: `in_2`, `out_1`. */
export function freeAlias(prefix: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const alias = `${prefix}${number}`
    if (!taken.includes(alias)) return alias
  }
}

/** Puts a file where the first input without one is, or into a new one. */
export function withFile(draft: Draft, file: Pick<DraftInput, 'url' | 'file'>): Draft {
  const { inputs } = draft
  const at = inputs.findIndex((one) => one.url.trim() === '' && one.file === null)
  const aliases = inputs.map(({ alias }) => alias)
  const filled =
    at === -1
      ? [...inputs, { alias: freeAlias('in_', aliases), hint: null, ...file }]
      : inputs.map((one, index) => (index === at ? { ...one, ...file } : one))
  return { ...draft, zip: null, inputs: filled }
}

/** A mistaken draft may have an alias twice: the later one would hide the first. */
export function repeatedAliases(draft: Draft): string[] {
  const all = [...draft.inputs, ...(draft.outputs ?? [])].map(({ alias }) => alias)
  return [...new Set(all.filter((alias, index) => all.indexOf(alias) !== index))]
}

function named<T>(pairs: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(pairs)
}
