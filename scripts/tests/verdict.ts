import type { Failure, FileResult } from './events.ts'
import { partNames, partOf } from './parts.ts'
import type { Part } from './parts.ts'

/** A failed test with its file. */
export interface Failed extends Failure {
  readonly file: string
}

export interface PartCounts {
  readonly part: Part
  readonly passed: number
  readonly failed: number
  /** Time of tests and hooks. */
  readonly minutes: number
}

export interface Verdict {
  readonly parts: readonly PartCounts[]
  readonly passed: number
  readonly failed: number
  readonly failures: readonly Failed[]
  /** Failed at first and passed alone: they count as passed while there are few. */
  readonly unstable: readonly Failed[]
  /** Files without a result or with half of one. */
  readonly notRun: readonly string[]
  /** Tests that said themselves that something is missing here. */
  readonly skipped: number
}

/** More would hide a fault: then all of them count as failed. */
export const mostUnstable = 3

/** Files that run once more, alone. */
export function toRunAgain(results: readonly FileResult[]): string[] {
  return results.filter(({ failures }) => failures.length > 0).map(({ file }) => file)
}

/**
 * Judgement of a run about its files.
 * @param first the results of the run
 * @param again results of the files that failed at first, from processes of their own
 */
export function verdictOf(
  files: readonly string[],
  first: readonly FileResult[],
  again: readonly FileResult[],
): Verdict {
  const seconds = new Map(again.map((result) => [result.file, result]))
  const counted = first.map((result) => countsOf(result, seconds.get(result.file)))
  const allUnstable = counted.flatMap(({ unstable }) => unstable)
  const areTooMany = allUnstable.length > mostUnstable
  const failures = counted.flatMap((one) => [...one.failures, ...(areTooMany ? one.unstable : [])])
  const ended = new Set(first.filter(({ isComplete }) => isComplete).map(({ file }) => file))
  const notRun = files.filter((file) => !ended.has(file))
  const parts = partNames.flatMap((part) => {
    const own = counted.filter(({ file }) => partOf(file) === part)
    const cut = notRun.filter((file) => partOf(file) === part).length
    if (own.length + cut === 0) return []
    const failed = failures.filter(({ file }) => partOf(file) === part).length + cut
    const tests = own.reduce((sum, each) => sum + each.tests, 0)
    const ms = own.reduce((sum, each) => sum + each.ms, 0)
    return [{ part, passed: tests - failed + cut, failed, minutes: ms / 60_000 }]
  })
  const sum = (of: (counts: PartCounts) => number) => parts.reduce((all, each) => all + of(each), 0)
  return {
    parts,
    failures,
    notRun,
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    unstable: areTooMany ? [] : allUnstable,
    skipped: first.reduce((all, { pending }) => all + pending, 0),
  }
}

interface Counts {
  readonly file: string
  /** Tests with an outcome, and failed hooks. */
  readonly tests: number
  readonly ms: number
  readonly failures: readonly Failed[]
  readonly unstable: readonly Failed[]
}

function countsOf(first: FileResult, second: FileResult | undefined): Counts {
  const { file } = first
  const withFile = (failure: Failure): Failed => ({ file, ...failure })
  const ms = first.ms + (second?.ms ?? 0)
  if (second === undefined) {
    const failures = first.failures.map(withFile)
    return { file, tests: first.passed + failures.length, ms, failures, unstable: [] }
  }
  const all = [...first.failures, ...second.failures]
  const different = all.filter(
    ({ title }, index) => all.findIndex((each) => each.title === title) === index,
  )
  const hasPassed = second.failures.length === 0
  return {
    file,
    // After a failed hook the tests of its suite have no outcome: only the second run counts them.
    tests: Math.max(first.passed + first.failures.length, second.passed + second.failures.length),
    ms,
    failures: hasPassed ? [] : different.map(withFile),
    unstable: hasPassed ? first.failures.map(withFile) : [],
  }
}
