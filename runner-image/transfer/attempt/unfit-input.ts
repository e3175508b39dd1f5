import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { StepPlan } from '../../../common/command-line/model/plan.ts'
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
export async function unfitInput(failed: FailedStep): Promise<string | null> {
  const { step, tail, isInvalid, work, inputPaths } = failed
  const named = /Error opening input file \.\.\/in\/(in_\w+)/.exec(tail)?.[1]
  const suspects = named === undefined ? (isInvalid ? step.reads : []) : [named]
  for (const alias of suspects) {
    const path = inputPaths[alias]
    const what = path === undefined ? null : await unfitness(join(work, path))
    if (what !== null) return `${alias} is ${what}`
  }
  return null
}

async function unfitness(path: string): Promise<string | null> {
  // Without the file FFmpeg's own words stand.
  const file = await open(path).catch(() => null)
  if (file === null) return null
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0)
    if (bytesRead === 0) return 'empty (0 bytes)'
    const isPage = looksLikeWebPage(buffer.subarray(0, bytesRead), '')
    return isPage ? 'a web page (HTML), not media' : null
  } finally {
    await file.close()
  }
}
