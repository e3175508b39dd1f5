import { cliCommand } from '../../terminal/cli-command.ts'
import { wholeNumber } from '../../terminal/usage-error.ts'
import { mbytesText } from '../../terminal/shell.ts'
import type { Answers, UsageBucket } from '../../../common/openapi/openapi-types.ts'
import type { Shell } from '../../terminal/shell.ts'

export const usage = cliCommand({
  summary: 'what the account has used and may use',
  example: 'usage --days 30',
  options: {
    '--days <NUMBER>': 'what was used on each of the last days',
    '--json': "print the service's whole answer",
  },
  async run({ days, json }, shell) {
    if (days !== undefined) return history(wholeNumber('days', days), shell, json)
    const found = await shell.client().getUsage({ signal: shell.signal })
    shell.print(json ? JSON.stringify(found, null, 2) : table(found))
    return 0
  },
})

function table({
  account,
  plan,
  processing,
  storage,
  vcpu,
  commands,
  features,
  pauses = [],
}: Answers['getUsage']): string {
  const of = (used: number, limit: number | null, unit: (value: number) => string): string =>
    limit === null ? `${unit(used)}, no limit` : `${unit(used)} of ${unit(limit)}`
  const included = Object.entries(features).flatMap(([name, has]) => (has ? [name] : []))
  const rows = [
    ...(account === undefined ? [] : [['account', account]]),
    ['plan', plan],
    ['processing this month', of(processing.used_mbytes, processing.limit_mbytes, mbytesText)],
    ['storage', of(storage.used_mbytes, storage.limit_mbytes, mbytesText)],
    ['vCPUs', of(vcpu.in_use, vcpu.limit, String)],
    ['commands', `${commands.running} running, ${commands.queued} queued`],
    ['includes', included.join(', ') || 'single commands'],
    ...pauses.map(({ what, why }) => ['paused', `${pausedWords[what]}: ${why}`]),
  ]
  return rows.map(([name = '', value = '']) => `${name.padEnd(24)}${value}`).join('\n')
}

const pausedWords = {
  submissions: 'new commands and files',
  dispatch: 'start of commands',
  admission: 'start of commands',
  account: 'start of commands',
  webhooks: 'webhooks',
}

const dayMs = 86_400_000

/** A line for each day with commands or stored files, the oldest first; today is the last one. Days are those of UTC. */
async function history(days: number, shell: Shell, json: boolean): Promise<number> {
  const to = shell.clock.wall()
  const today = Math.floor(to.getTime() / dayMs) * dayMs
  const from = new Date(today - (days - 1) * dayMs)
  const query = { bucket: 'day', from: from.toISOString(), to: to.toISOString() } as const
  const found = await shell.client().getUsageHistory(query, { signal: shell.signal })
  if (json) shell.print(JSON.stringify(found, null, 2))
  else for (const bucket of found.buckets) shell.print(dayLine(bucket))
  return 0
}

function dayLine({ start, commands, wait_seconds: wait, ...bucket }: UsageBucket): string {
  const { succeeded, failed, cancelled } = commands
  return [
    start.slice(0, 10),
    `${succeeded} done, ${failed} failed, ${cancelled} cancelled`.padEnd(36),
    mbytesText(bucket.processed_mbytes).padStart(10),
    `${Math.round(bucket.vcpu_seconds)} vCPU s`.padStart(14),
    wait.p95 === null ? '' : `95 % started within ${wait.p95.toFixed(1)} s`,
  ]
    .join('  ')
    .trimEnd()
}
