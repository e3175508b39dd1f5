import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { resultsFrom } from './events.ts'
import type { FileResult } from './events.ts'

export interface MochaOptions {
  /** Gets the events; another process must not write to it. */
  readonly eventsFile: string
  /** Ends the process: SIGINT first, SIGKILL after `graceMs`. */
  readonly signal: AbortSignal
  /** Before each line of output, where two runs print at the same time. */
  readonly label?: string | undefined
  /** Files at a time, each in a process of its own; default: all in one process, one after the other. */
  readonly jobs?: number | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
}

const root = path.resolve(import.meta.dirname, '../..')
const graceMs = 10_000

/** Runs mocha over the files. @returns what ended and what had begun, and how the process ended */
export async function mocha(
  files: readonly string[],
  { eventsFile, signal, label, jobs, environment }: MochaOptions,
): Promise<{ readonly results: readonly FileResult[]; readonly end: string }> {
  const program = path.join(root, 'node_modules/mocha/bin/mocha.js')
  const reporter = path.join(root, 'scripts/tests/event-reporter.ts')
  const parallel = jobs === undefined ? [] : ['--parallel', '--jobs', String(jobs)]
  const output = label === undefined ? 'inherit' : 'pipe'
  const child = spawn(
    process.execPath,
    // --exit: a failed test may leave a server behind, which would keep mocha from ending.
    [program, '--exit', '--reporter', reporter, ...parallel, ...files],
    {
      cwd: root,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...environment, TEST_EVENTS: eventsFile },
    },
  )
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface(stream).on('line', (line) => console.log(`${label} | ${line}`))
  }
  const stop = () => {
    child.kill('SIGINT')
    void delay(graceMs, undefined, { ref: false }).then(() => child.kill('SIGKILL'))
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const [code, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  signal.removeEventListener('abort', stop)
  const lines = await readFile(eventsFile, 'utf8').catch(() => '')
  return { results: resultsFrom(lines), end: by ?? `exit code ${code}` }
}
