import { join } from 'node:path'
import type { StepPlan } from '../../../common/command-line/model/plan.ts'
import { readingFile } from '../../contents/read-bytes.ts'
import { looksLikeWebPage, sniffedBytes } from '../download/names/web-page.ts'

interface FailedStep {
  readonly step: StepPlan
  /** FFmpeg's last errors, lines joined by `\n`. */
  readonly tail: string
  /** FFmpeg has found data that is not valid, in whichever file. */
  readonly isInvalid: boolean
  readonly work: string
  /** Path by alias, relative to the working folder. */
  readonly inputPaths: Readonly<Record<string, string>>
}

/**
 * The input that cannot be media: FFmpeg says of an empty file and of a web page what it says of a damaged one.
 * @returns null if there is none
 */
export function unfitInput(failed: FailedStep): string | null {
  const { step, tail, isInvalid, work, inputPaths } = failed
  const named = /Error opening input file \.\.\/in\/(in_\w+)/.exec(tail)?.[1]
  const suspects = named === undefined ? (isInvalid ? step.reads : []) : [named]
  for (const alias of suspects) {
    const path = inputPaths[alias]
    const what = path === undefined ? null : unfitness(join(work, path))
    if (what !== null) return `${alias} is ${what}`
  }
  return null
}

/** Null also for an input that still arrives by a pipe, and where the file is gone: FFmpeg's own words stand. */
function unfitness(path: string): string | null {
  return readingFile(path, (read) => {
    const start = read(0, sniffedBytes)
    if (start.length === 0) return 'empty (0 bytes)'
    return looksLikeWebPage(start, '') ? 'a web page (HTML), not media' : null
  })
}
