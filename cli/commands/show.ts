import { whichCommand, whichOptions } from '../existing/which-command.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

export const show = cliCommand({
  summary: 'the whole command as it was submitted',
  about: 'Prints commands, inputs and outputs as they were submitted, in full length.',
  example: 'show COMMAND_ID',
  args: ['[COMMAND_ID]'],
  options: { ...whichOptions, '--json': 'print the request' },
  async run({ COMMAND_ID, last, json }, shell) {
    const id = await whichCommand(shell, COMMAND_ID, last)
    const { signal } = shell
    const { original_request: request } = await shell.client().getCommand(id, {}, { signal })
    shell.print(json ? JSON.stringify(request, null, 2) : requestText(request))
    return 0
  },
})

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
