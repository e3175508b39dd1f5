import { jobIn, splitJob } from '../job/job-in.ts'
import { checkOutputs, jobOptions, localFiles } from '../job/job.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import { fetchResults } from '../job/fetch-results.ts'
import { checkLocalFile } from '../job/local-file.ts'
import { submitAndFollow } from '../job/submit-and-follow.ts'
import { submissionFor } from '../job/submission-for.ts'
import { uploadInputs } from '../job/upload-inputs.ts'
import { checkText, dryRun, placeholderUrl } from './validate.ts'
import type { Client } from '../client/client.ts'
import type { CommandStatusRecord, FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

export const run = cliCommand({
  summary: 'upload local inputs, run the command, download the outputs',
  about: `Uploads local inputs, runs the command and downloads the outputs.

In the first two forms files stand in the arguments as {{in_1}} and {{out_1}}. A second '--' begins the next command of a chain, which may read outputs of the earlier ones. One argument with blanks is a whole command text. In the third, files of this machine and URLs become inputs, and the names that end a group of options become outputs.

Progress goes to standard error. Ctrl-C cancels the command; an upload that was interrupted goes on when the same command is run again.`,
  usage: `[options] 'FFMPEG COMMAND'
       cloud-ffmpeg run [options] -- FFMPEG ARGUMENTS [-- NEXT COMMAND'S ARGUMENTS]...
       cloud-ffmpeg run [options] ffmpeg FFMPEG'S OWN ARGUMENTS`,
  example: "run -i clip.mov -o small.mp4 '-i {{in}} -vf scale=-2:480 {{out}}'",
  args: ['[UNEXPECTED...]'],
  options: {
    ...jobOptions,
    '-y, --overwrite': 'replace files that exist',
    '--no-download': "print the outputs' URLs and leave them in storage",
    '--keep-uploads': 'leave uploaded inputs in storage; else they are deleted at the end',
    '--dry-run': 'check the command, with a mark under a mistake; run nothing',
    '--detach': "print the command's id and end; uploaded inputs are left in storage",
    '--json': "print the command's record",
  },
  split: splitJob,
  async run(values, shell, { behind }) {
    const { job, overwrites } = await jobIn(behind, values, shell)
    if (values.dryRun) return dryRun(shell, job, values.json)
    const fetches = !values.detach && values.download
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
      printRecord(shell, record, { json: values.json, urls: !values.download })
      // An analysis without outputs: what FFmpeg measured is in its log.
      if (fetches && job.outputs.size === 0 && !values.json) {
        shell.write(await client.getCommandLogs(ended.command_id))
      }
      return 0
    } finally {
      shell.progress.clear()
      // A detached command still needs its inputs.
      if (!values.keepUploads && !values.detach) await deleteUploads(client, shell, uploaded)
    }
  },
})

export function printRecord(
  shell: Shell,
  record: CommandStatusRecord,
  { json, urls }: { readonly json: boolean; readonly urls: boolean },
): void {
  if (json) return shell.print(JSON.stringify(record, null, 2))
  if (!urls) return
  for (const [alias, file] of Object.entries(record.output_files ?? {})) {
    shell.print(`${alias} ${file.storage_url}`)
  }
}

/** Best-effort: what stays is named. */
export async function deleteUploads(
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
