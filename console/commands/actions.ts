import { deletedInputs } from '../../cli/existing/deleted-inputs.ts'
import { nameOf } from '../preview/preview-kind.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { Submission } from '../../cli/client/client-with-effects.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

/** A command of 5 s that needs no file and no internet. */
const sample = {
  input_files: {},
  output_files: { out_1: 'sample.mp4' },
  ffmpeg_command:
    '-f lavfi -i testsrc2=size=640x360:rate=25:duration=5 -f lavfi -i sine=frequency=440:duration=5 -pix_fmt yuv420p -c:a aac {{out_1}}',
  metadata: { sample: true },
}

/** @returns the id of the command */
export async function runSample(client: Client): Promise<string> {
  return (await client.submit(sample)).command_id
}

/**
 * Posts the request as it was; the client makes a new Idempotency-Key.
 * @returns the new id
 * @throws if an input has been deleted since, which the command would only find out as it runs
 */
export async function runAgain(client: Client, record: CommandStatusRecord): Promise<string> {
  if (record.original_request === null) {
    throw new Error('The service has deleted the request, so it cannot run again.')
  }
  const request = withoutNulls(record.original_request)
  const gone = await deletedInputs(client, request, new AbortController().signal)
  if (gone.length > 0) {
    throw new Error(
      `The service has deleted ${gone.map((alias) => named(alias, request)).join(', ')} since then. Upload it again, and give it to the command by Edit.`,
    )
  }
  return (await client.submit(request)).command_id
}

/** Alias with the name of its file. */
function named(alias: string, { input_files: inputs }: Submission): string {
  const name = nameOf({ storage_url: inputs?.[alias] ?? null })
  return name === '' ? alias : `${alias} (${name})`
}

/** The record has a key for each field, and null where the request had none. */
function withoutNulls(request: object): Submission {
  const given = Object.entries(request).filter(([, value]) => value !== null)
  return Object.fromEntries(given) as unknown as Submission
}

export async function cancel(client: Client, id: string): Promise<void> {
  await client.cancelCommand(id)
}
