import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

export interface Counts {
  readonly passes: number
  readonly failures: number
  readonly pending: number
  /** Full titles of the tests that ran. */
  readonly titles: readonly string[]
  /** Failed tests: the full title, then the error's stack. */
  readonly failed: readonly string[]
  /** Milliseconds of tests and hooks by file. */
  readonly durations: Readonly<Record<string, number>>
}

export const noCounts: Counts = {
  passes: 0,
  failures: 0,
  pending: 0,
  titles: [],
  failed: [],
  durations: {},
}

export interface MochaOptions {
  /** Before each line of output, where two runs print at the same time. */
  readonly label?: string | undefined
  /** Files at a time, each batch in a process of its own. */
  readonly jobs?: number
  readonly environment?: Readonly<Record<string, string>>
}

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Runs mocha over the files and returns its counts. If mocha ends without counts (a syntax error, a
 * crash), that is one failure, so that a missing suite is always noticed.
 */
export async function mocha(files: readonly string[], options: MochaOptions = {}): Promise<Counts> {
  const folder = await mkdtemp(path.join(tmpdir(), 'counts-'))
  const file = path.join(folder, 'counts.json')
  try {
    const code = await run(files, file, options)
    const counts = await readCounts(file)
    const failedAs = (text: string) => ({ failures: 1, failed: [text] })
    if (counts === null)
      return { ...noCounts, ...failedAs(`mocha ended with ${code} before its end`) }
    if (counts.failures > 0 || code === 0) return counts
    return { ...counts, ...failedAs(`mocha ended with ${code} though no test failed`) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(
  files: readonly string[],
  countsFile: string,
  { label, jobs, environment }: MochaOptions,
): Promise<number | null> {
  return new Promise((done, fail) => {
    const program = path.join(root, 'node_modules/mocha/bin/mocha.js')
    const reporter = path.join(root, 'scripts/tests/counting-reporter.ts')
    // --exit: a failed test may leave a server behind, which would keep mocha from ending.
    const parallel = jobs === undefined ? [] : ['--parallel', '--jobs', String(jobs)]
    const output = label === undefined ? 'inherit' : 'pipe'
    const child = spawn(
      process.execPath,
      [program, '--exit', '--reporter', reporter, ...parallel, ...files],
      {
        cwd: root,
        stdio: ['ignore', output, output],
        env: { ...process.env, ...environment, TEST_COUNTS: countsFile },
      },
    )
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface(stream).on('line', (line) => console.log(`${label} | ${line}`))
    }
    child.on('error', fail)
    child.on('close', done)
  })
}

async function readCounts(file: string): Promise<Counts | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Counts)
}
