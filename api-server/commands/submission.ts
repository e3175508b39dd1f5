import { planCommands } from '../../common/command-line/plan-commands.ts'
import { playlistProblem } from '../../common/command-line/output-name.ts'
import type { CommandError } from '../../common/command-line/plan.ts'
import type { CommandSource } from '../../common/store/commands.ts'
import type { OriginalCommand, RunFfmpegCommandBody, ValidationMistake } from '../openapi-types.ts'

/** A command that can run, before the account's plan has its say. */
export interface Submission {
  readonly source: CommandSource
  readonly originalRequest: OriginalCommand
}

export type SubmissionResult =
  | { readonly ok: true; readonly submission: Submission }
  | { readonly ok: false; readonly mistakes: ValidationMistake[] }

/**
 * What a schema cannot say: names that agree with each other, and the command's text. The text is
 * looked at only when all else is right, because its mistakes would follow from the others.
 */
export function submissionFrom(body: RunFfmpegCommandBody): SubmissionResult {
  const outputs = body.output_files
  const mistakes = outputs === 'OUTPUT_FOLDER' ? [] : outputMistakes(outputs)
  if (mistakes.length > 0) return { ok: false, mistakes }
  const planned = planCommands({
    commands: [body.ffmpeg_command],
    inputAliases: Object.keys(body.input_files ?? {}),
    outputs,
    inputFolder: body.input_compressed_folder !== undefined,
    chained: false,
  })
  if (!planned.ok) return { ok: false, mistakes: planned.errors.map(textMistake) }
  return {
    ok: true,
    submission: { source: sourceOf(body), originalRequest: originalRequestOf(body) },
  }
}

function outputMistakes(outputs: Readonly<Record<string, string>>): ValidationMistake[] {
  const seen = new Map<string, string>()
  return Object.entries(outputs).flatMap(([alias, name]) => {
    const first = seen.get(name)
    if (first === undefined) seen.set(name, alias)
    const msg =
      first === undefined
        ? playlistProblem(alias, name)
        : `The name '${name}' is taken by ${first}; each output needs its own`
    return msg === null
      ? []
      : [{ loc: ['body', 'output_files', alias], msg, type: 'value_error' as const }]
  })
}

function textMistake({ type, message, token, position }: CommandError): ValidationMistake {
  return { loc: ['body', 'ffmpeg_command'], msg: message, type, ctx: { token, position } }
}

/** URLs without the blanks around them; the request is echoed as it was sent. */
function sourceOf(body: RunFfmpegCommandBody): CommandSource {
  const folder = body.input_compressed_folder
  const inputs = Object.entries(body.input_files ?? {})
  return {
    commands: [body.ffmpeg_command],
    inputFiles:
      folder === undefined
        ? Object.fromEntries(inputs.map(([alias, url]) => [alias, url.trim()]))
        : null,
    inputCompressedFolder: folder?.trim() ?? null,
    outputFiles: body.output_files === 'OUTPUT_FOLDER' ? null : { ...body.output_files },
  }
}

function originalRequestOf(body: RunFfmpegCommandBody): OriginalCommand {
  return {
    ffmpeg_command: body.ffmpeg_command,
    input_files: body.input_files ?? null,
    input_compressed_folder: body.input_compressed_folder ?? null,
    output_files: body.output_files,
    max_command_run_seconds: body.max_command_run_seconds,
    vcpu_count: body.vcpu_count,
    metadata: body.metadata ?? null,
    is_private: body.is_private,
  }
}
