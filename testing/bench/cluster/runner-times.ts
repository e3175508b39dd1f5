import { isRecord } from '../../../e2e/cluster/host/run-command.ts'

/** By the wall clock of the node, in ms since 1970. */
export interface RunnerTimes {
  /** The process of `transfer` began. */
  readonly started: number
  /** When it wrote a line with this message; NaN where it wrote none. */
  at(message: string): number
}

/**
 * Reads the log of the container `transfer`: a JSON object a line.
 * @throws where no line has a time
 */
export function runnerTimes(log: string): RunnerTimes {
  const times = new Map<unknown, number>()
  let started: number | null = null
  for (const line of log.split('\n').filter((each) => each.startsWith('{'))) {
    const entry: unknown = JSON.parse(line)
    if (!isRecord(entry)) continue
    const { timestamp, uptime_ms: uptimeMs, message } = entry
    const time = new Date(String(timestamp)).getTime()
    times.set(message, time)
    if (typeof uptimeMs === 'number') started ??= time - uptimeMs
  }
  if (started === null) throw new Error(`no line with a time in the log of transfer:\n${log}`)
  return { started, at: (message) => times.get(message) ?? Number.NaN }
}
