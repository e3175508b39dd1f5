import type { Client } from './client/client.ts'

const lines = 20

/** The last lines that FFmpeg wrote. A log that cannot be had must not hide why the command failed. */
export async function logTail(client: Client, commandId: string): Promise<string> {
  const text = await client.getCommandLogs(commandId).catch(() => '')
  return text.trimEnd().split('\n').slice(-lines).join('\n')
}
