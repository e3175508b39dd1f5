import { ApiError } from '../../../cli/client/errors.ts'
import type { Client, CommandStatusRecord, Submission } from '../../../cli/client/client.ts'
import type { AttackOrigin } from './attack-origin.ts'
import type { AttackSubmission } from './attack-submission.ts'
import { isRecord } from '../../../local-cluster/host/run-command.ts'
import { zipOf } from './hostile-archives.ts'

export interface Attacked {
  readonly client: Client
  readonly origin: AttackOrigin
  /** A small film, `in.mp4` of every archive. */
  readonly film: Buffer
}

/** Endless commands end here; the service stops them itself. */
const runSeconds = 15

/**
 * Submits an attack and follows it to its end, if it is taken at all.
 * @returns what it achieved, in words
 */
export async function judgeAttack(attack: AttackSubmission, attacked: Attacked): Promise<string[]> {
  return judgeSubmission(await submissionOf(attack, attacked), attacked)
}

export async function judgeSubmission(
  submission: Submission,
  { client, origin }: Pick<Attacked, 'client' | 'origin'>,
  end: 'may end well' | 'has to fail' = 'may end well',
): Promise<string[]> {
  const before = origin.visits.length
  const answer = await client.submit(submission).catch((error: unknown) => error)
  if (answer instanceof ApiError) {
    const said = canaryIn(answer.detail)
    return [
      ...(answer.status === 422 ? [] : [`is answered with ${String(answer.status)}`]),
      ...(said === null ? [] : [`the refusal says ${said}`]),
    ]
  }
  if (!isRecord(answer) || !('command_id' in answer)) throw answer
  const record = await client.waitFor(String(answer['command_id']), {
    pollMs: 400,
    signal: AbortSignal.timeout(180_000),
  })
  const texts = [
    JSON.stringify({ ...record, original_request: null }),
    await client.getCommandLogs(record.command_id),
    ...(await outputsOf(record)),
  ]
  const found = texts.map(canaryIn).filter((each) => each !== null)
  return [
    ...(end === 'has to fail' && record.status !== 'FAILED' ? [`ends as ${record.status}`] : []),
    ...(record.error_status === 'INTERNAL_ERROR'
      ? [`fails by itself: ${record.error_message ?? ''}`]
      : []),
    ...found.map((each) => `${each} comes out`),
    ...origin.visits.slice(before).map((visit) => `the listener has a visitor: ${visit}`),
  ]
}

async function submissionOf(
  { form, command, files }: AttackSubmission,
  { origin, film }: Attacked,
): Promise<Submission> {
  const rest = {
    ffmpeg_command: command,
    vcpu_count: 1,
    max_command_run_seconds: runSeconds,
  }
  if (form === 'zip') {
    const zip = await zipOf({ 'in.mp4': film, ...files })
    return {
      input_compressed_folder: origin.publish('attack.zip', zip),
      output_files: 'OUTPUT_FOLDER',
      ...rest,
    }
  }
  const urls = Object.entries(files).map(([name, content], index): [string, string] => [
    `in_${String(index + 1)}`,
    origin.publish(name, content === '' ? film : Buffer.from(content)),
  ])
  return { input_files: Object.fromEntries(urls), output_files: { out_1: 'a.mkv' }, ...rest }
}

async function outputsOf(record: CommandStatusRecord): Promise<string[]> {
  const urls = Object.values(record.output_files ?? {}).flatMap(({ storage_url: url }) => url ?? [])
  return Promise.all(
    urls.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer()).toString('latin1')),
  )
}

/** Content that leaked: of files of the image and of the pod, of its token or of the listener. */
function canaryIn(text: string): string | null {
  return (
    /root:x:0:0|CANARY of the listener|eyJhbGciOi[\w-]+\.|KUBERNETES_SERVICE|-----BEGIN|LD_LIBRARY_PATH=/.exec(
      text,
    )?.[0] ?? null
  )
}
