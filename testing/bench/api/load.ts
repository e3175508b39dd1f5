import { fileURLToPath } from 'node:url'
import { runCommand } from '../../../e2e/cluster/host/run-command.ts'
import { availableParallelism } from 'node:os'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  /** Ends after so many answers in place of `seconds`. */
  readonly amount?: number
  /** Each connection sends them one after the other, and begins again. */
  readonly requests: readonly {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  }[]
}

export interface Measured {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly answered: number
}

const script = fileURLToPath(new URL('generate-load.ts', import.meta.url))

/** A closed loop of so many connections, from a core that no server uses. */
export async function load(options: Load): Promise<Measured> {
  const { command, args } = onCore('load', process.execPath, [script, JSON.stringify(options)])
  const { failed, ...measured } = parse(await runCommand(command, args))
  if (failed > 0) throw new Error(`${failed} requests to ${options.url} failed`)
  return measured
}

function parse(text: string): Measured & { failed: number } {
  return JSON.parse(text.trim().split('\n').at(-1) ?? '') as Measured & { failed: number }
}

const pinning = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** Servers share one core and the load has another, where there are two and `taskset` is known. */
export function onCore(
  who: 'server' | 'load',
  command: string,
  args: readonly string[],
): { command: string; args: string[] } {
  if (!pinning) return { command, args: [...args] }
  return { command: 'taskset', args: ['-c', who === 'server' ? '0' : '1', command, ...args] }
}

/** Seconds of CPU that a process has used so far, its own and the kernel's for it. */
export async function processSeconds(pid: number): Promise<number> {
  return secondsInStat(await readFile(`/proc/${pid}/stat`, 'utf8'))
}

/** @param stat text of /proc/PID/stat */
export function secondsInStat(stat: string): number {
  // The name, in brackets, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

const ticksPerSecond = 100

/** Statements that a server has sent to its database so far, by its own count. */
export async function statementsSent(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith('cloudffmpeg_database_seconds_count'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
