import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { ApiError } from '../../../cli/client/errors.ts'
import { planCommands } from '../../../common/command-line/plan/plan-commands.ts'
import { folderDifferences } from '../folder-differences.ts'
import { fillJob, inputPathsOf } from '../job-folder.ts'
import { missingAnalyses } from '../read-analyses.ts'
import { plainFolders, plainText, runPlainly } from '../plain-shell.ts'
import { fetchOutputs } from './fetch-outputs.ts'
import { recordDifferences } from './record-differences.ts'
import { submissionOf } from './submission-of.ts'
import type { CommandStatusRecord, Client } from '../../../cli/client/client.ts'
import type { PlainRun } from '../plain-shell.ts'
import type { CorpusCommand, Expectation } from '../read-corpus.ts'
import type { Origin } from '../../../e2e/steps/origin.ts'

/** A command that small has ended long before, however busy the machine is. */
const seconds = 300

/**
 * Submits a command of the corpus, follows it to its end, downloads what it made, and runs it in a
 * plain shell at the same time. `folder` is this call's own, and emptied first.
 * @returns what is not as expected, in words
 */
export async function judgeOverRest(
  command: CorpusCommand,
  service: ServiceUnderTest,
  folder: string,
): Promise<string[]> {
  const { expectation } = command
  const submitting = submit(command, service)
  if (expectation.kind === 'refused') {
    return refusalDifferences(await submitting.catch((error: unknown) => error), expectation)
  }
  const jobs = { plain: path.join(folder, 'plain'), service: path.join(folder, 'service') }
  for (const job of Object.values(jobs)) await rm(job, { recursive: true, force: true })
  const [ended, plain] = await Promise.allSettled([
    submitting.then(async ({ command_id: id }) => follow(id, service)),
    plainRun(command, service, jobs.plain),
  ])
  if (plain.status === 'rejected') throw plain.reason
  if (ended.status === 'rejected') {
    if (ended.reason instanceof ApiError) return [`is refused: ${ended.reason.detail}`]
    throw ended.reason
  }
  const record = ended.value
  if (expectation.kind === 'fails') {
    const alike = record.status === 'FAILED' && plain.value.code !== 0
    return alike && record.error_message?.includes(expectation.words) === true
      ? []
      : [`ends as ${said(record)}, plain with ${String(plain.value.code)}`]
  }
  if (record.status !== 'SUCCESS' || plain.value.code !== 0) {
    return [
      `ends as ${said(record)}`,
      `plain FFmpeg with ${String(plain.value.code)}: ${plain.value.log.slice(-1500)}`,
    ]
  }
  const log = await service.client.getCommandLogs(record.command_id)
  return [
    ...missingAnalyses(asTheOwnerReads(plain.value.log, command), log, expectation.log),
    ...(await outputDifferences(command, record, { service, jobs, made: plain.value.made })),
  ]
}

function submit(command: CorpusCommand, { client, origin }: ServiceUnderTest) {
  return client.submit(submissionOf(command, (sample) => origin.url(sample)))
}

function follow(id: string, { client }: ServiceUnderTest): Promise<CommandStatusRecord> {
  return client.waitFor(id, { pollMs: 400, signal: AbortSignal.timeout(seconds * 1000) })
}

/** Leaves nothing in the job's working folder but what the command made. */
async function plainRun(
  command: CorpusCommand,
  { root, samples }: ServiceUnderTest,
  job: string,
): Promise<PlainRun & { readonly made: readonly string[] }> {
  const { submission, expectation } = command
  const work = path.join(job, 'work')
  await fillJob(job, command, samples)
  const planned = planCommands(submission)
  for (const made of planned.ok ? plainFolders(planned.plan) : []) {
    await mkdir(path.join(work, made), { recursive: true })
  }
  const shell = expectation.kind === 'same' ? expectation.shell : null
  const paths = inputPathsOf(command)
  const texts = (shell === null ? submission.commands : [shell]).map((text) =>
    plainText(text, paths, submission),
  )
  const given = new Set(await filesBelow(work))
  const run = await runPlainly(texts, { root, job })
  const left = await filesBelow(work)
  const made = left.filter((name) => !given.has(name) && isOutput(name, command))
  for (const name of left.filter((each) => !made.includes(each))) await rm(path.join(work, name))
  return { ...run, made }
}

/** What a client gets: all that a command makes in a folder or for a playlist, else what it declares. */
function isOutput(name: string, { submission: { outputs } }: CorpusCommand): boolean {
  if (outputs === 'OUTPUT_FOLDER') return true
  const declared = Object.values(outputs)
  const playlist = declared.some((each) => /\.(?:m3u8|mpd)$/.test(each))
  return declared.includes(name) || (playlist && !/\.(?:log|mbtree|cutree|trf)$/.test(name))
}

async function outputDifferences(
  { submission, expectation }: CorpusCommand,
  record: CommandStatusRecord,
  {
    service: { root },
    jobs,
    made,
  }: {
    readonly service: ServiceUnderTest
    readonly jobs: { readonly plain: string; readonly service: string }
    readonly made: readonly string[]
  },
): Promise<readonly string[]> {
  const work = path.join(jobs.service, 'work')
  await mkdir(work, { recursive: true })
  const fetched = await fetchOutputs(record, submission.outputs, { folder: work, expected: made })
  const lengthsVary = expectation.kind === 'same' && expectation.lengthsVary
  const found = await folderDifferences({ root, ...jobs }, { playlists: [], lengthsVary })
  return [
    ...fetched.differences,
    ...found.differences,
    ...(await recordDifferences(record, submission.outputs, { root, jobs, lengthsVary })),
  ]
}

/** Paths of inputs are the aliases that stand for them. */
function asTheOwnerReads(log: string, command: CorpusCommand): string {
  return Object.entries(inputPathsOf(command)).reduce(
    (text, [alias, name]) => text.replaceAll(name, `{{${alias}}}`),
    log,
  )
}

function refusalDifferences(
  answer: unknown,
  expected: Extract<Expectation, { kind: 'refused' }>,
): string[] {
  if (!(answer instanceof ApiError)) return [`is not refused: ${String(answer)}`]
  const { status, detail } = answer
  return status === 422 && expected.words.every((words) => detail.includes(words))
    ? []
    : [`is refused with ${String(status)}: ${detail}`]
}

function said({
  status,
  error_status: error,
  error_message: message,
}: CommandStatusRecord): string {
  return [status, error, message].filter((part) => part !== null).join(': ')
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}

/** A running service, and what is needed to hold it against a plain shell. */
export interface ServiceUnderTest {
  readonly client: Client
  /** Serves the samples, and `samples.zip` with those of an archive. */
  readonly origin: Pick<Origin, 'url'>
  /** File system of the runner image. */
  readonly root: string
  readonly samples: string
}
