import path from 'node:path'
import { uploadFile } from '../client/transfer/upload-file.ts'
import { uploadJournal } from '../client/transfer/file-journal.ts'
import { createSpeed, timeLeft } from '../client/upload/speed.ts'
import { mbytes, percent } from '../terminal/shell.ts'
import type { Shell } from '../terminal/shell.ts'
import type { Client } from '../client/client.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'

/** The plan does not include uploads, but the job has local files. */
export class UploadsNotIncluded extends Error {
  constructor(plan: string, file: string) {
    super(
      `plan '${plan}' does not include uploads, so ${path.basename(file)} cannot be sent: ` +
        'put it where the service can fetch it, and pass its URL (-i in_1=https://…)',
    )
    this.name = 'UploadsNotIncluded'
  }
}

/**
 * Uploads local files one after the other, each in parallel parts, and resumes the uploads of an
 * earlier run. The files are private if the plan allows it.
 * @param uploaded gets each file once it is stored, so that the caller can delete it after any error
 */
export async function uploadInputs(
  client: Client,
  shell: Shell,
  files: readonly string[],
  uploaded: Map<string, FileRecord>,
): Promise<void> {
  const [first] = files
  if (first === undefined) return
  const { plan, features } = await client.getUsage({ signal: shell.signal })
  if (!features.uploads) throw new UploadsNotIncluded(plan, first)
  for (const file of files) {
    uploaded.set(file, await uploadOne(client, shell, file, features.private))
  }
}

export async function uploadOne(
  client: Client,
  shell: Shell,
  file: string,
  isPrivate: boolean,
): Promise<FileRecord> {
  const step = `uploading ${path.basename(file)}`
  const speed = createSpeed()
  return uploadFile({
    client,
    file,
    isPrivate,
    journal: uploadJournal(shell.journalFor(path.resolve(file), isPrivate)),
    signal: shell.signal,
    clock: shell.clock,
    onProgress(sent, total) {
      speed.add(shell.clock.monotonicMs(), sent)
      shell.progress.show(step, uploadDetail(sent, total, speed.perSecond()))
    },
  })
}

/** @param perSecond null while it is not known */
export function uploadDetail(sent: number, total: number, perSecond: number | null): string {
  const done = `${percent(sent, total)} of ${mbytes(total)}`
  const left = timeLeft(total - sent, perSecond)
  return perSecond === null || left === null ? done : `${done}, ${mbytes(perSecond)}/s, ${left}`
}
