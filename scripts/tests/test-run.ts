import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { resultsFrom } from './events.ts'
import { mocha } from './mocha.ts'
import type { FileResult } from './events.ts'

export interface TestRun {
  /**
   * Runs files that have no result yet. A file in which the process ends gets a failure, and those behind it run in a new
   * process.
   * @param jobs files at a time; default: one after the other in one process
   */
  run(files: readonly string[], how?: How): Promise<void>
  /** Runs each file in a process of its own, after all others. @returns their second results */
  runAgain(files: readonly string[], how?: How): Promise<readonly FileResult[]>
  /** The latest result of each file that has begun. */
  results(): readonly FileResult[]
}

export interface How {
  readonly jobs?: number | undefined
  /** Before each line of output. */
  readonly label?: string | undefined
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * @param folder keeps the events of each process; with `resume`, files that ended in the run before do not run again
 * @param signal ends what runs, and begins nothing more
 */
export async function createTestRun({
  folder,
  signal,
  resume,
}: {
  readonly folder: string
  readonly signal: AbortSignal
  readonly resume: boolean
}): Promise<TestRun> {
  const known = new Map<string, FileResult>()
  if (!resume) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const earlier = (await readdir(folder)).toSorted()
  for (const name of earlier) {
    const results = resultsFrom(await readFile(path.join(folder, name), 'utf8'))
    for (const one of results.filter(({ isComplete }) => isComplete)) known.set(one.file, one)
  }
  let processes = earlier.length

  const start = (files: readonly string[], how: How) => {
    processes += 1
    const eventsFile = path.join(folder, `${String(processes).padStart(3, '0')}.ndjson`)
    return mocha(files, { ...how, eventsFile, signal })
  }

  return {
    async run(files, how = {}) {
      let { jobs } = how
      for (;;) {
        const left = files.filter((file) => known.get(file)?.isComplete !== true)
        if (left.length === 0 || signal.aborted) return
        const { results, end } = await start(left, { ...how, jobs })
        for (const one of results) known.set(one.file, one)
        if (signal.aborted) return
        const cut = left.find((file) => known.get(file)?.isComplete !== true)
        // Which of several files ended the process is seen when they run one after the other.
        if (cut !== undefined && jobs === undefined)
          known.set(cut, endedIn(cut, known.get(cut), end))
        jobs = undefined
      }
    },
    async runAgain(files, how = {}) {
      const again: FileResult[] = []
      for (const file of files) {
        if (signal.aborted) break
        const { results, end } = await start([file], how)
        const result = results.find((one) => one.file === file)
        again.push(result?.isComplete === true ? result : endedIn(file, result, end))
      }
      return again
    },
    results: () => [...known.values()],
  }
}

/** The result of a file in which the process ended, such as by a syntax error or an exception of a timer. */
function endedIn(file: string, result: FileResult | undefined, end: string): FileResult {
  const title = result?.running ?? `${file} as a whole`
  const failure = { title, error: `mocha ended with ${end} before the file had ended` }
  const none = { file, passed: 0, pending: 0, failures: [], ms: 0 }
  const known = result ?? none
  return { ...known, isComplete: true, running: null, failures: [...known.failures, failure] }
}
