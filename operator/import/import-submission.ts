import { inputAliasProblem, outputAliasProblem } from '../../common/command-line/model/alias.ts'
import { outputClashes } from '../../common/command-line/model/output-clash.ts'
import { outputNameProblem, playlistProblem } from '../../common/command-line/model/output-name.ts'
import { planSource } from '../../common/command-line/plan/plan-commands.ts'
import { kilobytes, largestImportedBytes } from '../../common/kubernetes/stored-bytes.ts'
import { clampToPlan, clampTtl, defaultLimits } from '../../common/domain/plans.ts'
import { mostReservedBytes } from '../../common/domain/quota.ts'
import type { Plan } from '../../common/domain/plans.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { NewCommand } from '../../common/store/commands.ts'
import type { CommandSource } from '../../common/command-line/model/command-source.ts'
import type { ImportedFile } from '../../common/store/reconcile.ts'
import type { InlineSpec } from '../../common/kubernetes/resources/spec-form.ts'
import type { StoredFileSpec } from '../../crds/storedfile.ts'
import { publishedInput } from './published-input.ts'
import type { Input } from './published-input.ts'
import { runnableSpec } from '../resources/spec-hash.ts'
import { urlProblem } from '../../common/network/http-url.ts'

interface AppliedCommand {
  readonly spec: InlineSpec
  readonly objectBytes: number
  readonly guarded: readonly string[]
}

export interface ImportedCommand {
  readonly command: NewCommand
  /** Reason of the refusal, with the REST API's error text; null = accepted. */
  readonly refusal: string | null
}

/**
 * A custom resource's spec in the form of a REST request.
 * @param objectBytes size of the whole object in etcd
 * @param guarded addresses of files whose privacy it has to keep
 */
export function importedCommand(
  commandId: string,
  { spec, objectBytes, guarded }: AppliedCommand,
  account: Account,
  plan: Plan,
): ImportedCommand {
  const { source, vcpuCount, maxRunSeconds, isPrivate } = runnableSpec(spec)
  const chained = source.commands.length > 1
  const command: NewCommand = {
    commandId,
    accountId: account.accountId,
    environmentName: spec.environmentName ?? null,
    commandType: chained ? 'FFMPEG_CHAINED_COMMANDS' : 'FFMPEG_COMMAND',
    source: { ...source, ...trimmedInputs(source) },
    originalRequest: originalRequest(spec, plan),
    metadata: null,
    isPrivate,
    outputTtlSeconds: clampTtl(plan, account.defaultOutputTtlSeconds),
    presignedTtlSeconds: null,
    webhookUrl: null,
    priority: spec.priority ?? 'normal',
    mostReservedBytes: mostReservedBytes(plan),
    ...clampToPlan(plan, { vcpuCount, maxRunSeconds }),
  }
  const refusal =
    sizeProblem(objectBytes) ??
    planProblem(command, account, plan) ??
    fileProblem(source) ??
    publishedInput({ inputs: inputsOf(source), isPrivate }, guarded) ??
    textProblem(command.source)
  return { command, refusal }
}

/** Each status patch writes the whole object again, and a LIST holds it in the operator's memory. */
function sizeProblem(bytes: number): string | null {
  if (bytes <= largestImportedBytes) return null
  return (
    `The object takes ${kilobytes(bytes)} KB in the cluster, at most ${kilobytes(largestImportedBytes)} KB; ` +
    'the REST API takes 512 KB: use it, or shorter URLs, or split the work over several objects'
  )
}

function planProblem(command: NewCommand, account: Account, plan: Plan): string | null {
  if (account.suspended) return 'The account is suspended; ask the administrator to resume it'
  const lacks = (what: string): string => `Plan '${account.plan}' does not include ${what}`
  if (command.isPrivate && !plan.private) return lacks('private files')
  if (command.commandType === 'FFMPEG_CHAINED_COMMANDS' && !plan.chained) {
    return lacks('chained commands')
  }
  return null
}

function fileProblem({
  inputFiles,
  inputCompressedFolder,
  outputFiles,
}: CommandSource): string | null {
  for (const [alias, url] of Object.entries(inputFiles ?? {})) {
    const problem = inputAliasProblem(alias) ?? urlProblem(alias, url)
    if (problem !== null) return problem
  }
  if (inputCompressedFolder !== null) {
    const problem = urlProblem('inputCompressedFolder', inputCompressedFolder)
    if (problem !== null) return problem
  }
  return outputProblem(Object.entries(outputFiles ?? {}))
}

function inputsOf({ inputFiles, inputCompressedFolder: archive }: CommandSource): Input[] {
  const files = Object.entries(inputFiles ?? {})
  return archive === null ? files : [...files, ['inputCompressedFolder', archive]]
}

function outputProblem(outputs: readonly [string, string][]): string | null {
  const clashes = outputClashes(outputs)
  for (const [alias, name] of outputs) {
    const problem =
      outputAliasProblem(alias) ??
      outputNameProblem(name) ??
      playlistProblem(alias, name) ??
      clashes.get(alias)
    if (problem !== undefined) return problem
  }
  return null
}

function textProblem(source: CommandSource): string | null {
  const planned = planSource(source, source.commands.length > 1)
  return planned.ok ? null : planned.errors.map(({ message }) => message).join('; ')
}

function trimmedInputs({
  inputFiles,
  inputCompressedFolder,
}: CommandSource): Pick<CommandSource, 'inputFiles' | 'inputCompressedFolder'> {
  const trimmed = Object.entries(inputFiles ?? {}).map(([alias, url]): [string, string] => [
    alias,
    url.trim(),
  ])
  return {
    inputFiles: inputFiles === null ? null : Object.fromEntries(trimmed),
    inputCompressedFolder: inputCompressedFolder?.trim() ?? null,
  }
}

/** The equivalent REST request, for the echo in the command's record. */
function originalRequest(spec: InlineSpec, plan: Plan): Record<string, unknown> {
  const [first, ...more] = spec.commands
  const runnable = runnableSpec(spec)
  const usual = defaultLimits(plan)
  const inputs = { input_files: spec.inputFiles ?? null }
  const folder = { input_compressed_folder: spec.inputCompressedFolder ?? null }
  return {
    // A chain's request has no folder to give.
    ...(more.length === 0
      ? { ffmpeg_command: first, ...inputs, ...folder }
      : { ffmpeg_commands: spec.commands, ...inputs }),
    output_files: spec.outputFiles ?? 'OUTPUT_FOLDER',
    max_command_run_seconds: spec.maxRunSeconds ?? usual.maxRunSeconds,
    vcpu_count: spec.vcpuCount ?? usual.vcpuCount,
    metadata: null,
    is_private: runnable.isPrivate,
    priority: spec.priority ?? 'normal',
    output_ttl_seconds: null,
    presigned_ttl_seconds: null,
    webhook_url: null,
  }
}

/** A custom resource's spec in the form of a REST request, or the reason of the refusal. */
export function importedFile(
  fileId: string,
  { spec, guarded }: { readonly spec: StoredFileSpec; readonly guarded: readonly string[] },
  account: Account,
  plan: Plan,
): { file: Omit<ImportedFile, 'resourceUid'> } | { refusal: string } {
  const { environmentName, source, private: isPrivate = false } = spec
  if (account.suspended)
    return { refusal: 'The account is suspended; ask the administrator to resume it' }
  if (isPrivate && !plan.private) {
    return { refusal: `Plan '${account.plan}' does not include private files` }
  }
  if (source.url === undefined) {
    return { refusal: 'spec.source.upload is set by the service alone: give spec.source.url' }
  }
  const inputs: Input[] = [['spec.source.url', source.url]]
  const problem =
    urlProblem('spec.source.url', source.url) ?? publishedInput({ inputs, isPrivate }, guarded)
  if (problem !== null) return { refusal: problem }
  return {
    file: {
      fileId,
      accountId: account.accountId,
      environmentName: environmentName ?? null,
      url: source.url,
      isPrivate,
      keepDays: plan.retention.filesDays,
    },
  }
}
