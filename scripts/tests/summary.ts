import type { FileResult } from './events.ts'
import { mostUnstable } from './verdict.ts'
import type { Failed, Verdict } from './verdict.ts'

/**
 * Text at the end of a run, because the place where a failure was printed is thousands of lines above. The line of counts is
 * the last, alone.
 */
export function summaryOf(verdict: Verdict): string {
  const { passed, failed, failures, unstable, notRun, skipped } = verdict
  return [
    ...failures.map((failure) => `\nFAILED: ${described(failure)}`),
    `\n${table(verdict)}`,
    ...list('Not run', notRun),
    ...list(
      `Unstable: failed at first and passed alone (more than ${mostUnstable} are failures)`,
      unstable.map(described),
    ),
    ...(skipped === 0 ? [] : [`\n${skipped} skipped`]),
    `\n${passed} passed, ${failed} failed`,
  ].join('\n')
}

/** Unfinished files of a run that is cut off. Files that run in parallel are known when they have ended. */
export function cutOff(results: readonly FileResult[], seconds: number): string {
  const running = results.filter(({ isComplete }) => !isComplete)
  return [
    `\nThe deadline of ${seconds} s has passed (TEST_DEADLINE_SECONDS)`,
    ...list(
      'Running',
      running.map(({ file, running: title }) => (title === null ? file : `${file}: ${title}`)),
    ),
  ].join('\n')
}

function described({ file, title, error }: Failed): string {
  return `${file}: ${title}\n${error}`
}

function table({ parts }: Verdict): string {
  const rows = [
    ['part', 'passed', 'failed', 'minutes'],
    ...parts.map((each) => [each.part, each.passed, each.failed, each.minutes.toFixed(1)]),
  ].map((row) => row.map(String))
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return column === 0 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  '),
    )
    .join('\n')
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`\n${title}:`, ...lines.map((line) => `  ${line}`)]
}
