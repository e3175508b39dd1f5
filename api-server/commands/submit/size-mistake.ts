import {
  kilobytes,
  largestDispatchedBytes,
  storedBytes,
} from '../../../common/kubernetes/stored-bytes.ts'
import { customResourceFor } from '../../dispatch/to-custom-resource.ts'
import type { ResourceSource } from '../../dispatch/to-custom-resource.ts'
import type { Work } from '../../../common/store/commands.ts'
import type { ValidationMistake } from '../../../common/openapi/openapi-types.ts'

/**
 * Why the command's custom resource would be too large, or null. Without this check a body of 504 KB
 * with many `&` becomes an object of 3 MB, which etcd refuses each time that dispatch creates it.
 */
export function sizeMistake(
  command: ResourceSource & Pick<Work, 'commandType'>,
): ValidationMistake | null {
  const bytes = storedBytes(customResourceFor(command))
  if (bytes <= largestDispatchedBytes) return null
  const largest = largestField(command)
  const msg =
    `The command takes ${kilobytes(bytes)} KB in the cluster, where each &, < and > takes 6 bytes; ` +
    `it may take ${kilobytes(largestDispatchedBytes)} KB. ` +
    `Its largest field, ${largest.name}, takes ${kilobytes(largest.bytes)} KB: ${largest.remedy}`
  return { loc: ['body', largest.name], msg, type: 'too_long' }
}

interface Field {
  readonly name: string
  readonly bytes: number
  readonly remedy: string
}

function largestField({ commandType, source }: Pick<Work, 'commandType' | 'source'>): Field {
  const { commands, inputFiles, inputCompressedFolder, outputFiles } = source
  const split = 'split the work over several requests'
  const shorter = 'use shorter URLs, such as those of files stored with /v1/files/store-file'
  const fields = [
    {
      name: commandType === 'FFMPEG_COMMAND' ? 'ffmpeg_command' : 'ffmpeg_commands',
      bytes: storedBytes(commands),
      remedy: split,
    },
    { name: 'input_files', bytes: storedBytes(inputFiles), remedy: `${shorter}, or ${split}` },
    {
      name: 'input_compressed_folder',
      bytes: storedBytes(inputCompressedFolder),
      remedy: shorter,
    },
    {
      name: 'output_files',
      bytes: storedBytes(outputFiles),
      remedy: `use shorter names or OUTPUT_FOLDER, or ${split}`,
    },
  ]
  return fields.reduce((one, other) => (other.bytes > one.bytes ? other : one))
}
