import path from 'node:path'
import { folderAlias } from './aliases.ts'
import { UsageError } from '../terminal/usage-error.ts'
import type { Job, Source } from './job.ts'
import type { Submission } from '../client/client.ts'

/** @param urlOf URL of an uploaded local file */
export function submissionFor(job: Job, urlOf: (file: string) => string): Submission {
  const url = (source: Source): string => (source.kind === 'url' ? source.url : urlOf(source.path))
  const common = {
    ...(job.vcpuCount === null ? {} : { vcpu_count: job.vcpuCount }),
    ...(job.timeoutSeconds === null ? {} : { max_command_run_seconds: job.timeoutSeconds }),
    ...(job.isPrivate ? { is_private: true } : {}),
    ...(job.presignedSeconds === null ? {} : { presigned_ttl_seconds: job.presignedSeconds }),
    ...(job.priority === null ? {} : { priority: job.priority }),
    ...(Object.keys(job.metadata).length === 0 ? {} : { metadata: job.metadata }),
  }
  const input_files = Object.fromEntries(
    Array.from(job.inputs, ([alias, one]) => [alias, url(one)]),
  )
  const [only = ''] = job.commands
  if (job.commands.length > 1) {
    if (job.archive !== null) throw new UsageError('a chain of commands takes no --input-zip')
    if (job.outputs.has(folderAlias)) {
      throw new UsageError(
        `a chain of commands names each output; ${folderAlias} is for one command`,
      )
    }
    return {
      ...common,
      ffmpeg_commands: [...job.commands],
      input_files,
      output_files: outputNames(job),
    }
  }
  return {
    ...common,
    ffmpeg_command: only,
    ...(job.archive === null ? { input_files } : { input_compressed_folder: url(job.archive) }),
    ...(job.archive !== null && job.inputs.size > 0 ? { input_files } : {}),
    output_files: job.outputs.has(folderAlias) ? folderAlias : outputNames(job),
  }
}

/** The service's rule for names of outputs is stricter than that of file systems. */
function outputNames({ outputs }: Job): Record<string, string> {
  const taken = new Set<string>()
  const names = Array.from(outputs, ([alias, file]) => {
    const plain = path
      .basename(file)
      .replaceAll(/[^A-Za-z0-9_.-]/g, '_')
      .replace(/^[.-]/, '_')
    const name = taken.has(plain) ? `${alias}_${plain}` : plain
    taken.add(name)
    return [alias, name]
  })
  return Object.fromEntries(names) as Record<string, string>
}
