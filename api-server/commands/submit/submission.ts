import { privateResultsAdvice } from '../../../common/command-line/advice/private-results.ts'
import { defaultLimits } from '../../../common/domain/plans.ts'
import { reviewSource } from './accepted-texts.ts'
import type { ReviewSource } from './accepted-texts.ts'
import type { Plan } from '../../../common/domain/plans.ts'
import type { NewCommand } from '../../../common/store/commands.ts'
import type { CommandSource } from '../../../common/command-line/model/command-source.ts'
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
  | { readonly ok: true; readonly submission: Submission; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly mistakes: readonly ValidationMistake[] }

/** Reads a single command that fits the schema. */
export function submissionFrom(
  body: RunFfmpegCommandBody,
  plan: Plan,
  review: ReviewSource = reviewSource,
): SubmissionResult {
  const { ffmpeg_command: text, input_compressed_folder: folder, output_files: outputs } = body
  const source = {
    commands: [text],
    inputFiles: folder === undefined ? trimmed(body.input_files ?? {}) : null,
    inputCompressedFolder: folder?.trim() ?? null,
    outputFiles: outputs === 'OUTPUT_FOLDER' ? null : { ...outputs },
  }
  const { mistakes, warnings } = review(source, false)
  if (mistakes.length > 0) return { ok: false, mistakes }
  const originalRequest = {
    ffmpeg_command: text,
    input_files: body.input_files ?? null,
    input_compressed_folder: folder ?? null,
    output_files: outputs,
    ...commonFieldsOf(body, plan),
  }
  return {
    ok: true,
    submission: { commandType: 'FFMPEG_COMMAND', source, originalRequest },
    warnings: [...warnings, ...privacyWarnings(originalRequest)],
  }
}

/** The same for a chain: each command can use all inputs, and the outputs of earlier commands. */
export function chainSubmissionFrom(
  body: RunChainedFfmpegCommandsBody,
  plan: Plan,
  review: ReviewSource = reviewSource,
): SubmissionResult {
  const { ffmpeg_commands: commands, input_files: inputs, output_files: outputs } = body
  const source = {
    commands,
    inputFiles: trimmed(inputs),
    inputCompressedFolder: null,
    outputFiles: { ...outputs },
  }
  const { mistakes, warnings } = review(source, true)
  if (mistakes.length > 0) return { ok: false, mistakes }
  const originalRequest = {
    ffmpeg_commands: commands,
    input_files: inputs,
    output_files: outputs,
    ...commonFieldsOf(body, plan),
  }
  return {
    ok: true,
    submission: { commandType: 'FFMPEG_CHAINED_COMMANDS', source, originalRequest },
    warnings: [...warnings, ...privacyWarnings(originalRequest)],
  }
}

/** Apart from the review of the text, which is remembered for requests that differ in these fields. */
function privacyWarnings(request: OriginalCommand | OriginalChain): string[] {
  return privateResultsAdvice(request).map(({ message }) => message)
}

/** URLs without surrounding blanks; the echoed request is not changed. */
function trimmed(inputs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([alias, url]) => [alias, url.trim()]))
}

/** A default above the plan would be lowered with a warning, though the client wrote nothing. */
export function requestedLimits(
  body: Pick<RunFfmpegCommandBody, 'max_command_run_seconds' | 'vcpu_count'>,
  plan: Plan,
) {
  const { vcpuCount, maxRunSeconds } = defaultLimits(plan)
  return {
    max_command_run_seconds: body.max_command_run_seconds ?? maxRunSeconds,
    vcpu_count: body.vcpu_count ?? vcpuCount,
  }
}

function commonFieldsOf(body: RunFfmpegCommandBody | RunChainedFfmpegCommandsBody, plan: Plan) {
  return {
    ...requestedLimits(body, plan),
    metadata: body.metadata ?? null,
    is_private: body.is_private,
    priority: body.priority,
    output_ttl_seconds: body.output_ttl_seconds ?? null,
    presigned_ttl_seconds: body.presigned_ttl_seconds ?? null,
    webhook_url: body.webhook_url ?? null,
  }
}
