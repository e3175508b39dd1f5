import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

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

const nothing: Counts = {
  passes: 0,
  failures: 1,
  pending: 0,
  titles: [],
  failed: [],
  durations: {},
}
const root = path.resolve(import.meta.dirname, '../..')

/**
 * Runs mocha over the globs and returns its counts. If mocha ends without counts (a syntax error, a
 * crash), that is one failure, so that a missing suite is always noticed.
 */
export async function mocha(
  globs: readonly string[],
  options: readonly string[] = [],
): Promise<Counts> {
  const folder = await mkdtemp(path.join(tmpdir(), 'counts-'))
  const file = path.join(folder, 'counts.json')
  try {
    const code = await run([...options, ...globs], { TEST_COUNTS: file })
    const counts = await readCounts(file)
    if (counts === null) return { ...nothing, failed: [`mocha ended with ${code} before its end`] }
    if (counts.failures > 0 || code === 0) return counts
    return { ...counts, failures: 1, failed: [`mocha ended with ${code} though no test failed`] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(args: readonly string[], environment: Record<string, string>): Promise<number | null> {
  return new Promise((done, fail) => {
    const program = path.join(root, 'node_modules/mocha/bin/mocha.js')
    const reporter = path.join(root, 'scripts/tests/counting-reporter.ts')
    const child = spawn(process.execPath, [program, '--reporter', reporter, ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    })
    child.on('error', fail)
    child.on('close', done)
  })
}

async function readCounts(file: string): Promise<Counts | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Counts)
}
