import { planSource } from '../../../common/command-line/plan/plan-commands.ts'
import { outputClashes } from '../../../common/command-line/model/output-clash.ts'
import { playlistProblem } from '../../../common/command-line/model/output-name.ts'
import type { CommandError } from '../../../common/command-line/model/plan.ts'
import type { CommandSource, NewCommand } from '../../../common/store/commands.ts'
import type {
  OriginalChain,
  OriginalCommand,
  RunChainedFfmpegCommandsBody,
  RunFfmpegCommandBody,
  ValidationMistake,
} from '../../../common/openapi/openapi-types.ts'

/** A valid command, before the limits of the account's plan. */
export interface Submission {
  readonly commandType: NewCommand['commandType']
  readonly source: CommandSource
  readonly originalRequest: OriginalCommand | OriginalChain
}

export type SubmissionResult =
  | { readonly ok: true; readonly submission: Submission }
  | { readonly ok: false; readonly mistakes: ValidationMistake[] }

/**
 * Checks that a schema cannot express: names that must match each other, and the command's text. The
 * text is checked only if all else is valid, because its mistakes would follow from the others.
 */
export function submissionFrom(body: RunFfmpegCommandBody): SubmissionResult {
  const { ffmpeg_command: text, input_compressed_folder: folder, output_files: outputs } = body
  const source = {
    commands: [text],
    inputFiles: folder === undefined ? trimmed(body.input_files ?? {}) : null,
    inputCompressedFolder: folder?.trim() ?? null,
    outputFiles: outputs === 'OUTPUT_FOLDER' ? null : { ...outputs },
  }
  const mistakes = mistakesOf(source, false)
  if (mistakes.length > 0) return { ok: false, mistakes }
  const originalRequest = {
    ffmpeg_command: text,
    input_files: body.input_files ?? null,
    input_compressed_folder: folder ?? null,
    output_files: outputs,
    ...commonFieldsOf(body),
  }
  return {
    ok: true,
    submission: { commandType: 'FFMPEG_COMMAND', source, originalRequest },
  }
}

/** The same for a chain: each command can use all inputs, and the outputs of earlier commands. */
export function chainSubmissionFrom(body: RunChainedFfmpegCommandsBody): SubmissionResult {
  const { ffmpeg_commands: commands, input_files: inputs, output_files: outputs } = body
  const source = {
    commands,
    inputFiles: trimmed(inputs),
    inputCompressedFolder: null,
    outputFiles: { ...outputs },
  }
  const mistakes = mistakesOf(source, true)
  if (mistakes.length > 0) return { ok: false, mistakes }
  const originalRequest = {
    ffmpeg_commands: commands,
    input_files: inputs,
    output_files: outputs,
    ...commonFieldsOf(body),
  }
  return {
    ok: true,
    submission: { commandType: 'FFMPEG_CHAINED_COMMANDS', source, originalRequest },
  }
}

function mistakesOf(source: CommandSource, chained: boolean): ValidationMistake[] {
  const mistakes = outputMistakes(source.outputFiles ?? {})
  if (mistakes.length > 0) return mistakes
  const planned = planSource(source, chained)
  return planned.ok ? [] : planned.errors.map((error) => textMistake(error, chained))
}

function outputMistakes(outputs: Readonly<Record<string, string>>): ValidationMistake[] {
  const clashes = outputClashes(Object.entries(outputs))
  return Object.entries(outputs).flatMap(([alias, name]) => {
    const msg = clashes.get(alias) ?? playlistProblem(alias, name)
    return msg === null
      ? []
      : [{ loc: ['body', 'output_files', alias], msg, type: 'value_error' as const }]
  })
}

function textMistake(
  { command, type, message, token, position }: CommandError,
  chained: boolean,
): ValidationMistake {
  const place = chained ? ['ffmpeg_commands', ...indexOf(command)] : ['ffmpeg_command']
  return { loc: ['body', ...place], msg: message, type, ctx: { token, position } }
}

/** An output that no command writes belongs to the chain, so its location has no index. */
function indexOf(command: number | null): string[] {
  return command === null ? [] : [String(command)]
}

/** URLs without surrounding blanks; the echoed request is not changed. */
function trimmed(inputs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([alias, url]) => [alias, url.trim()]))
}

function commonFieldsOf(body: RunFfmpegCommandBody | RunChainedFfmpegCommandsBody) {
  return {
    max_command_run_seconds: body.max_command_run_seconds,
    vcpu_count: body.vcpu_count,
    metadata: body.metadata ?? null,
    is_private: body.is_private,
    priority: body.priority,
    output_ttl_seconds: body.output_ttl_seconds ?? null,
    webhook_url: body.webhook_url ?? null,
  }
}
