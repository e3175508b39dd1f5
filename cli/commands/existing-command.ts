import { placeOf } from '../existing/place-of.ts'
import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { failureText } from '../job/say-failure.ts'
import { cancelQueued } from '../existing/cancel-queued.ts'
import { parsed, UsageError, wholeNumber } from '../terminal/parse.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** The command's record. 1: it failed. */
export async function status(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    ...whichOptions,
    json: { type: 'boolean' },
  })
  const id = await whichCommand(shell, positionals, values)
  const record = await shell.client().getCommand(id, {}, { signal: shell.signal })
  shell.print(values.json ? JSON.stringify(record, null, 2) : summary(record))
  return record.status === 'FAILED' ? 1 : 0
}

export function summary(record: CommandStatusRecord): string {
  const { progress_percent: done } = record
  const head = [
    record.status,
    record.processing_stage ?? '',
    done === null ? '' : `${Math.floor(done)} %`,
    placeOf(record),
  ]
  const error = record.error_status === null ? [] : [failureText(record)]
  const outputs = Object.entries(record.output_files ?? {}).map(
    ([alias, file]) => `${alias} ${file.storage_url ?? '(deleted)'}`,
  )
  return [head.filter((part) => part !== '').join(' '), ...error, ...outputs].join('\n')
}

/** What was submitted: commands, inputs and outputs in full length. */
export async function show(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    ...whichOptions,
    json: { type: 'boolean' },
  })
  const id = await whichCommand(shell, positionals, values)
  const { original_request: request } = await shell
    .client()
    .getCommand(id, {}, { signal: shell.signal })
  shell.print(values.json ? JSON.stringify(request, null, 2) : requestText(request))
  return 0
}

function requestText(request: CommandStatusRecord['original_request']): string {
  if (request === null) return 'The request was deleted: the retention of the plan has passed.'
  const commands = 'ffmpeg_commands' in request ? request.ffmpeg_commands : [request.ffmpeg_command]
  const folder =
    'input_compressed_folder' in request ? (request.input_compressed_folder ?? null) : null
  const outputs =
    request.output_files === 'OUTPUT_FOLDER' ? ['OUTPUT_FOLDER'] : linesOf(request.output_files)
  return [
    ...commands,
    ...linesOf(request.input_files ?? {}),
    ...(folder === null ? [] : [`input_compressed_folder ${folder}`]),
    ...outputs,
  ].join('\n')
}

function linesOf(files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).map(([alias, file]) => `${alias} ${file}`)
}

/** Ends a command that has not ended; one that runs takes some seconds. */
export async function cancel(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    ...whichOptions,
    'all-queued': { type: 'boolean', default: false },
  })
  if (values['all-queued']) {
    if (positionals.length > 0 || values.last) {
      throw new UsageError('--all-queued means every queued command: leave the id out')
    }
    return cancelQueued(shell)
  }
  const id = await whichCommand(shell, positionals, values)
  const client = shell.client()
  await client.cancelCommand(id, { signal: shell.signal })
  const record = await client.waitFor(id, {
    pollMs: 500,
    signal: shell.signal,
    onPoll: () => shell.progress.show(`cancelling ${id}`),
  })
  shell.progress.clear()
  shell.print(summary(record))
  return record.error_status === 'CANCELLED' ? 0 : 1
}

/** FFmpeg's log, with -f until the command has ended. */
export async function logs(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    ...whichOptions,
    follow: { type: 'boolean', short: 'f', default: false },
    step: { type: 'string' },
  })
  const id = await whichCommand(shell, positionals, values)
  const step = values.step === undefined ? {} : { step: wholeNumber('step', values.step) }
  const client = shell.client()
  const { signal } = shell
  if (!values.follow) {
    shell.write(await client.getCommandLogs(id, step, { signal }))
    return 0
  }
  for await (const text of client.followLogs(id, { ...step, signal })) shell.write(text)
  return 0
}
