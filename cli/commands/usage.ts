import { parsed } from '../terminal/parse.ts'
import { mbytesText } from '../terminal/shell.ts'
import type { Answers } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** The account's usage and the limits of its plan. */
export async function usage(args: string[], shell: Shell): Promise<number> {
  const { values } = parsed(args, { json: { type: 'boolean' } })
  const found = await shell.client().getUsage({ signal: shell.signal })
  shell.print(values.json ? JSON.stringify(found, null, 2) : table(found))
  return 0
}

function table({
  plan,
  processing,
  storage,
  vcpu,
  commands,
  features,
}: Answers['getUsage']): string {
  const of = (used: number, limit: number | null, unit: (value: number) => string): string =>
    `${unit(used)} of ${limit === null ? 'any' : unit(limit)}`
  const included = Object.entries(features).flatMap(([name, has]) => (has ? [name] : []))
  const rows = [
    ['plan', plan],
    ['processing this month', of(processing.used_mbytes, processing.limit_mbytes, mbytesText)],
    ['storage', of(storage.used_mbytes, storage.limit_mbytes, mbytesText)],
    ['vCPUs', of(vcpu.in_use, vcpu.limit, String)],
    ['commands', `${commands.running} running, ${commands.queued} queued`],
    ['includes', included.join(', ') || 'single commands'],
  ]
  return rows.map(([name = '', value = '']) => `${name.padEnd(24)}${value}`).join('\n')
}
