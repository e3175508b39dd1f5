import type { Say } from '../../local-cluster/host/progress.ts'
import type { ImagePrograms } from '../../images/image-programs.ts'
import type { Finished } from './summary.ts'

/**
 * Downloads each output from its public URL without credentials, and probes it.
 * @throws Error if a command failed or an output differs from its record
 */
export async function verifyDownload({
  title,
  record,
  programs,
  say,
}: Finished & { programs: ImagePrograms; say: Say }): Promise<void> {
  if (record.status !== 'SUCCESS') {
    throw new Error(
      `${title}: ${record.error_status ?? record.status}: ${record.error_message ?? ''}`,
    )
  }
  for (const [alias, file] of Object.entries(record.output_files ?? {})) {
    const url = file.storage_url
    if (typeof url !== 'string') throw new Error(`${title}: ${alias} has no storage_url`)
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${title}: ${url} answered ${response.status}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const { format, codec, duration } = await programs.probe(bytes)
    if (codec !== file.codec) {
      throw new Error(`${title}: ${alias} holds ${codec}, its record says ${file.codec}`)
    }
    say(
      `downloaded ${alias} of ${title}: ${bytes.length} bytes, ${format}, ${codec}, ${duration} s`,
    )
  }
}
