import { storedBytes } from '../../../common/kubernetes/stored-bytes.ts'
import type { CommandSource } from '../../../common/command-line/model/command-source.ts'
import type { FfmpegCommandSpec } from '../../../crds/ffmpegcommand.ts'

type Preview = NonNullable<FfmpegCommandSpec['preview']>

/** Stored bytes of one text, without its quotes. All of them together are below 3,072. */
const longest = { command: 160, input: 100, output: 60 }
const mostCommands = 10
const mostFiles = 8

/**
 * The beginning of a request whose custom resource refers to it, for people who read the object with
 * kubectl. It never holds the query or the user of a URL, which may be credentials.
 */
export function requestPreview(source: CommandSource): Preview {
  const { commands, inputFiles, inputCompressedFolder, outputFiles } = source
  const inputs = Object.entries(
    inputFiles ?? { inputCompressedFolder: inputCompressedFolder ?? '' },
  )
  const outputs = outputFiles === null ? [['OUTPUT_FOLDER']] : Object.entries(outputFiles)
  return {
    commands: commands.slice(0, mostCommands).map((text) => shortened(text, longest.command)),
    inputs: inputs
      .slice(0, mostFiles)
      .map(([alias, url]) => shortened(`${alias} ${placeOf(url)}`, longest.input)),
    outputs: outputs
      .slice(0, mostFiles)
      .map((output) => shortened(output.join(' '), longest.output)),
  }
}

/** `host/…/last-segment`. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return '…'
  const { host, pathname } = new URL(url)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const last = segments.at(-1) ?? ''
  return segments.length > 1 ? `${host}/…/${last}` : `${host}/${last}`
}

/**
 * Only printable ASCII that etcd stores in one byte: `…` stands for all else. A text whose scheme makes
 * a URL of it loses its query there too.
 */
function shortened(text: string, most: number): string {
  // The first characters are enough: each of them takes at least a byte.
  const plain = withoutQueries(text.slice(0, 8 * most)).replace(/(?:[^ -~]|[<>&"\\])+/g, '…')
  if (bytesOf(plain) <= most) return plain
  let end = most
  while (bytesOf(plain.slice(0, end)) + ellipsisBytes > most) end -= 1
  return `${plain.slice(0, end)}…`
}

function withoutQueries(text: string): string {
  return text.replace(/(:\/\/)(?:[^\s/?#'"]*@)?([^\s?#'"]*)[?#][^\s'"]*/g, '$1$2?…')
}

const ellipsisBytes = 3

function bytesOf(text: string): number {
  return storedBytes(text) - 2
}
