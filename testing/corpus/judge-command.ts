import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { planCommands } from '../../common/command-line/plan/plan-commands.ts'
import { fillJob, filesBelow, inputPathsOf } from './job-folder.ts'
import { plainFolders, plainText, runPlainly } from './plain-shell.ts'
import { missingAnalyses } from './read-analyses.ts'
import type { PlainRun } from './plain-shell.ts'
import type { CorpusCommand, Expectation } from './read-corpus.ts'

/** Runs commands in the service: in its sandbox alone, or by its REST API. */
export interface Driver {
  /** File system of the runner image. */
  readonly root: string
  readonly samples: string
  /** Folder for the job of plain FFmpeg, of this driver alone. */
  readonly plainJob: string
  readonly counts: Counts
  run(command: CorpusCommand): Promise<Run>
}

export interface Counts {
  /** Files with the same bytes on both sides. */
  identical: number
  /** Files that only the number of threads makes different. */
  alike: number
  refused: number
  failing: number
}

export type Run =
  /** `type`: null where the service does not name it. */
  | { readonly kind: 'refused'; readonly type: string | null; readonly message: string }
  | {
      readonly kind: 'ended'
      readonly ok: boolean
      /** Exit code or status, and why it failed. */
      readonly end: string
      readonly log: string
      /** Compares the files with those of the plain job, which held `given` before its run. */
      differences(given: ReadonlySet<string>): Promise<readonly string[]>
    }

export function noCounts(): Counts {
  return { identical: 0, alike: 0, refused: 0, failing: 0 }
}

/**
 * Runs a command of the corpus in the service and in a shell at the same time.
 * @returns what is not as expected, in words
 */
export async function judgeCommand(command: CorpusCommand, driver: Driver): Promise<string[]> {
  const { expectation } = command
  if (expectation.kind === 'refused') {
    driver.counts.refused += 1
    return refusalDifferences(await driver.run(command), expectation)
  }
  const [service, shell] = await Promise.allSettled([
    driver.run(command),
    runInShell(command, driver),
  ])
  if (service.status === 'rejected') throw service.reason
  if (shell.status === 'rejected') throw shell.reason
  const [run, plain] = [service.value, shell.value]
  if (run.kind === 'refused') return [`is refused: ${run.message}`]
  if (expectation.kind === 'fails') {
    driver.counts.failing += 1
    return !run.ok && plain.code !== 0 && run.end.includes(expectation.words)
      ? []
      : [`ends with ${run.end}`, `plain FFmpeg with ${String(plain.code)}`]
  }
  if (!run.ok || plain.code !== 0) {
    return [
      `ends with ${run.end}`,
      `plain FFmpeg with ${String(plain.code)}: ${plain.log.slice(-1500)}`,
    ]
  }
  const [theirs, ours] = [plain.log, run.log].map((log) => withAliases(log, command))
  return [
    ...missingAnalyses(theirs ?? '', ours ?? '', expectation.log),
    ...(await run.differences(plain.given)),
  ]
}

async function runInShell(
  command: CorpusCommand,
  { root, samples, plainJob }: Driver,
): Promise<PlainRun & { readonly given: ReadonlySet<string> }> {
  const { submission, expectation } = command
  const work = path.join(plainJob, 'work')
  await fillJob(plainJob, command, samples)
  const planned = planCommands(submission)
  for (const made of planned.ok ? plainFolders(planned.plan) : []) {
    await mkdir(path.join(work, made), { recursive: true })
  }
  const shell = expectation.kind === 'same' ? expectation.shell : null
  const texts = (shell === null ? submission.commands : [shell]).map((text) =>
    plainText(text, inputPathsOf(command), submission),
  )
  const given = new Set(await filesBelow(work))
  return { ...(await runPlainly(texts, { root, job: plainJob })), given }
}

/** The owner of a command reads aliases in its log, not the paths of its inputs. */
function withAliases(log: string, command: CorpusCommand): string {
  return Object.entries(inputPathsOf(command)).reduce(
    (text, [alias, name]) => text.replaceAll(name, `{{${alias}}}`),
    log,
  )
}

function refusalDifferences(
  run: Run,
  expected: Extract<Expectation, { kind: 'refused' }>,
): string[] {
  if (run.kind !== 'refused') return ['is accepted']
  const { type, message } = run
  return (type === null || type === expected.type) &&
    expected.words.every((words) => message.includes(words))
    ? []
    : [`is refused as ${String(type)}: ${message}`]
}
