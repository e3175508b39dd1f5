import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { ApiError } from '../../../cli/client/errors.ts'
import { folderDifferences } from '../folder-differences.ts'
import { filesBelow } from '../job-folder.ts'
import { lengthsVary } from '../sandbox-driver.ts'
import { fetchOutputs } from './fetch-outputs.ts'
import { recordDifferences } from './record-differences.ts'
import { submissionOf } from './submission-of.ts'
import type { CommandStatusRecord, Client } from '../../../cli/client/client.ts'
import type { Origin } from '../../../e2e/steps/origin.ts'
import type { Driver } from '../judge-command.ts'
import type { CorpusCommand } from '../read-corpus.ts'

export interface ServiceUnderTest {
  readonly client: Client
  /** Serves the samples, and `samples.zip` with those of an archive. */
  readonly origin: Pick<Origin, 'url'>
  /** Outputs are downloaded to this folder; it is emptied for each command. */
  readonly fetched: string
}

/** Commands as small as these have ended by then, however busy the machine is. */
const seconds = 300

/** Submits a command, follows it to its end and downloads what it made. */
export function restDriver(
  parts: Omit<Driver, 'run'>,
  { client, origin, fetched }: ServiceUnderTest,
): Driver {
  return {
    ...parts,
    async run(command) {
      const submission = submissionOf(command, (sample) => origin.url(sample))
      const accepted = await client.submit(submission).catch((error: unknown) => error)
      if (accepted instanceof ApiError && accepted.status === 422) {
        return { kind: 'refused', type: null, message: accepted.detail }
      }
      if (!isAccepted(accepted)) throw accepted
      const record = await client.waitFor(accepted.command_id, {
        pollMs: 400,
        signal: AbortSignal.timeout(seconds * 1000),
      })
      const { status, error_status: error, error_message: message } = record
      return {
        kind: 'ended',
        ok: status === 'SUCCESS',
        end: [status, error, message].filter((part) => part !== null).join(': '),
        log: await client.getCommandLogs(record.command_id),
        differences: (given) => outputDifferences(command, record, given),
      }
    },
  }

  async function outputDifferences(
    command: CorpusCommand,
    record: CommandStatusRecord,
    given: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const { root, plainJob: plain, counts } = parts
    const { outputs } = command.submission
    const jobs = { plain, service: fetched }
    const work = path.join(fetched, 'work')
    await rm(fetched, { recursive: true, force: true })
    await mkdir(work, { recursive: true })
    const downloads = await fetchOutputs(record, outputs, {
      folder: work,
      expected: await keepOutputs(path.join(plain, 'work'), command, given),
    })
    const how = { root, jobs, lengthsVary: lengthsVary(command) }
    const found = await folderDifferences({ root, ...jobs }, { playlists: [], ...how })
    counts.identical += found.identical
    counts.alike += found.alike
    return [
      ...downloads.differences,
      ...found.differences,
      ...(await recordDifferences(record, outputs, how)),
    ]
  }
}

/** Leaves only the files in the plain job that a client of the service gets, and returns their names. */
async function keepOutputs(
  work: string,
  command: CorpusCommand,
  given: ReadonlySet<string>,
): Promise<string[]> {
  const made: string[] = []
  for (const name of await filesBelow(work)) {
    if (!given.has(name) && isOutput(name, command)) made.push(name)
    else await rm(path.join(work, name))
  }
  return made
}

/** A client gets all files of a folder or beside a playlist, else those that it declares. */
function isOutput(name: string, { submission: { outputs } }: CorpusCommand): boolean {
  if (outputs === 'OUTPUT_FOLDER') return true
  const declared = Object.values(outputs)
  const playlist = declared.some((each) => /\.(?:m3u8|mpd)$/.test(each))
  return declared.includes(name) || (playlist && !/\.(?:log|mbtree|cutree|trf)$/.test(name))
}

export function isAccepted(answer: unknown): answer is { readonly command_id: string } {
  return typeof answer === 'object' && answer !== null && 'command_id' in answer
}
