import { exactly, parsed, wholeNumber } from '../parse.ts'
import type { Shell } from '../shell.ts'

/** What FFmpeg wrote, and with -f what it writes until the command has ended. */
export async function logs(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    follow: { type: 'boolean', short: 'f', default: false },
    step: { type: 'string' },
  })
  const { COMMAND_ID: id } = exactly(positionals, 'COMMAND_ID')
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
