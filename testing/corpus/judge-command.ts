import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { planCommands } from '../../common/command-line/plan/plan-commands.ts'
import type { CommandPlan, PlanResult } from '../../common/command-line/model/plan.ts'
import type { RunningSupervisor } from '../ffmpeg/runner/test-runner.ts'
import { folderDifferences } from './folder-differences.ts'
import { fillJob, inputPathsOf } from './job-folder.ts'
import { plainFolders, plainText, runPlainly } from './plain-shell.ts'
import { missingAnalyses } from './read-analyses.ts'
import type { CorpusCommand, Expectation } from './read-corpus.ts'
import { runInService } from './service-run.ts'

export interface Judging {
  /** File system of the runner image. */
  readonly root: string
  readonly samples: string
  readonly supervised: RunningSupervisor
  /** Folder for the job of plain FFmpeg; the service's is the supervisor's own. */
  readonly plainJob: string
  readonly counts: Counts
}

export interface Counts {
  /** Files with the same bytes on both sides. */
  identical: number
  /** Files that only the number of threads makes different. */
  alike: number
  refused: number
  failing: number
}

/**
 * Runs a command of the corpus in the service and in a shell at the same time.
 * @returns what is not as expected, in words
 */
export async function judgeCommand(command: CorpusCommand, judging: Judging): Promise<string[]> {
  const { submission, expectation } = command
  const planned = planCommands(submission)
  if (expectation.kind === 'refused') {
    judging.counts.refused += 1
    return refusalDifferences(planned, expectation)
  }
  if (!planned.ok) return planned.errors.map(({ message }) => `is refused: ${message}`)
  const { service, plain } = await runBoth(command, planned.plan, judging)
  if (expectation.kind === 'fails') {
    judging.counts.failing += 1
    const alike = service.code !== 0 && plain.code !== 0
    return alike && service.tail.includes(expectation.words)
      ? []
      : [`ends with ${String(service.code)}, plain with ${String(plain.code)}: ${service.tail}`]
  }
  if (service.code !== 0 || plain.code !== 0) {
    return [
      `ends with ${String(service.code)}: ${service.tail}`,
      `plain FFmpeg with ${String(plain.code)}: ${plain.log.slice(-1500)}`,
    ]
  }
  return [
    ...missingAnalyses(plain.log, service.log.join('\n'), expectation.log),
    ...(await fileDifferences(planned.plan, expectation.lengthsVary, judging)),
  ]
}

async function runBoth(command: CorpusCommand, plan: CommandPlan, judging: Judging) {
  const { root, samples, supervised, plainJob } = judging
  const { submission, expectation } = command
  await fillJob(supervised.container.job, command, samples)
  await fillJob(plainJob, command, samples)
  for (const made of plainFolders(plan)) {
    await mkdir(path.join(plainJob, 'work', made), { recursive: true })
  }
  const paths = inputPathsOf(command)
  const shell = expectation.kind === 'same' ? expectation.shell : null
  const texts = (shell === null ? submission.commands : [shell]).map((text) =>
    plainText(text, paths, submission),
  )
  const [service, plain] = await Promise.all([
    runInService(plan, paths, supervised),
    runPlainly(texts, { root, job: plainJob }),
  ])
  return { service, plain }
}

function refusalDifferences(
  planned: PlanResult,
  expected: Extract<Expectation, { kind: 'refused' }>,
): string[] {
  if (planned.ok) return ['is accepted']
  const [error] = planned.errors
  return error?.type === expected.type &&
    expected.words.every((words) => error.message.includes(words))
    ? []
    : [`is refused as ${String(error?.type)}: ${String(error?.message)}`]
}

async function fileDifferences(
  plan: CommandPlan,
  lengthsVary: boolean,
  { root, plainJob: plain, supervised, counts }: Judging,
): Promise<readonly string[]> {
  const playlists = plan.outputs.flatMap((output) => output.folder ?? [])
  const service = supervised.container.job
  const found = await folderDifferences({ root, plain, service }, { playlists, lengthsVary })
  counts.identical += found.identical
  counts.alike += found.alike
  return found.differences
}
