import { jobIn } from '../job/job-in.ts'
import { checkOutputs, jobOptions, localFiles } from '../job/job.ts'
import { parsed } from '../terminal/parse.ts'
import { fetchResults } from '../job/fetch-results.ts'
import { checkLocalFile } from '../job/local-file.ts'
import { submitAndFollow } from '../job/submit-and-follow.ts'
import { submissionFor } from '../job/submission-for.ts'
import { uploadInputs } from '../job/upload-inputs.ts'
import { checkText, dryRun, placeholderUrl } from './validate.ts'
import type { Client } from '../client/client.ts'
import type { CommandStatusRecord, FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

const options = {
  ...jobOptions,
  overwrite: { type: 'boolean', short: 'y', default: false },
  'keep-uploads': { type: 'boolean', default: false },
  'no-download': { type: 'boolean', default: false },
  detach: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** Uploads, runs, shows progress, downloads. 1: the command failed; 130: Ctrl-C ended it. */
export async function run(args: string[], shell: Shell): Promise<number> {
  const { job, values, overwrites } = await jobIn(args, shell, (own) => parsed(own, options))
  if (values['dry-run']) return dryRun(shell, job, values.json)
  const fetches = !values.detach && !values['no-download']
  await checkOutputs(job.outputs, values.overwrite || overwrites || !fetches)
  const files = localFiles(job)
  for (const file of files) await checkLocalFile(file)
  const client = shell.client()
  // Validate the text before gigabytes are uploaded.
  if (files.length > 0 && !(await checkText(client, shell, submissionFor(job, placeholderUrl))))
    return 1

  const uploaded = new Map<string, FileRecord>()
  try {
    await uploadInputs(client, shell, files, uploaded)
    const submission = submissionFor(job, (file) => uploaded.get(file)?.storage_url ?? '')
    const followed = await submitAndFollow(client, shell, submission, values)
    if ('exitCode' in followed) return followed.exitCode
    const { record: ended } = followed
    const record = fetches
      ? await fetchResults(client, shell, ended.command_id, job.outputs)
      : ended
    printRecord(shell, record, values)
    // An analysis without outputs: what FFmpeg measured is in its log.
    if (fetches && job.outputs.size === 0 && !values.json) {
      shell.write(await client.getCommandLogs(ended.command_id))
    }
    return 0
  } finally {
    shell.progress.clear()
    // A detached command still needs its inputs.
    if (!values['keep-uploads'] && !values.detach) await deleteUploads(client, shell, uploaded)
  }
}

export function printRecord(
  shell: Shell,
  record: CommandStatusRecord,
  { json, 'no-download': urls }: { json: boolean; 'no-download': boolean },
): void {
  if (json) return shell.print(JSON.stringify(record, null, 2))
  if (!urls) return
  for (const [alias, file] of Object.entries(record.output_files ?? {})) {
    shell.print(`${alias} ${file.storage_url}`)
  }
}

async function deleteUploads(
  client: Client,
  shell: Shell,
  uploaded: ReadonlyMap<string, FileRecord>,
): Promise<void> {
  for (const [file, { file_id: id }] of uploaded) {
    await client.deleteFile(id).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      shell.progress.say(`the upload of ${file} (${id}) is still stored: ${reason}`)
    })
  }
}
