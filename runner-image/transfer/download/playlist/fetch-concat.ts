import { open } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { inputPath } from '../../../../common/command-line/model/input-path.ts'
import { orAborted } from '../../../../common/runtime/effects.ts'
import { runAll } from '../../runtime/run-all.ts'
import type { FetchedList, ListDependencies } from '../list-reader.ts'
import { directLink } from '../names/share-links.ts'
import { looksLikeWebPage, sniffedBytes } from '../names/web-page.ts'
import { atLine, fileLine, readConcatList } from './concat-list.ts'
import type { ConcatLine } from './concat-list.ts'
import { listKind } from '../names/list-kind.ts'
import type { ListedFiles } from './listed-files.ts'

export interface ConcatRequest extends Omit<FetchedList, 'kind'>, Pick<ListDependencies, 'pathOf'> {
  readonly text: string
  readonly files: ListedFiles
  readonly signal: AbortSignal
}

/**
 * Fetches the files that a list for `-f concat` names.
 * @returns the list with the names of the files, relative to the folder; its other lines stay
 * @throws Failure with a message that continues a sentence about the input
 */
export async function fetchConcat(request: ConcatRequest): Promise<string> {
  const { files, signal } = request
  const lines = readConcatList(request.text, request)
  const count = lines.filter(({ kind }) => kind !== 'other').length
  files.plan(count)
  const local = await runAll(
    signal,
    lines.map((line) => (stop) => localLine(line, request, stop)),
  )
  return local.join('\n')
}

async function localLine(
  line: ConcatLine,
  { alias, files, pathOf }: ConcatRequest,
  signal: AbortSignal,
): Promise<string> {
  if (line.kind === 'other') return line.text
  const { number } = line
  if (line.kind === 'url') {
    const extension = (path: string, { fileName }: { fileName: string | null }) =>
      checkedExtension(path, fileName ?? '', number)
    const place = ` in line ${String(number)}`
    return fileLine(await files.segment({ url: directLink(line.url), place, extension }, signal))
  }
  const path = line.alias === alias ? null : pathOf(line.alias)
  if (path === null) throw atLine(number, `names {{${line.alias}}}, ${noInput(line.alias, alias)}`)
  return fileLine(basename(await orAborted(path, signal)))
}

function noInput(named: string, list: string): string {
  if (named === list) return 'which is the list itself'
  return 'which is not an input of this command; with -f concat in front of -i, all of input_files are'
}

/** @throws Failure if FFmpeg could not read the file as a member of a list */
async function checkedExtension(path: string, fileName: string, number: number): Promise<string> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0)
  const start = buffer.subarray(0, bytesRead)
  if (looksLikeWebPage(start, fileName)) throw atLine(number, 'names a web page')
  if (listKind(start, fileName) !== null) {
    throw atLine(
      number,
      'names a playlist; declare it in input_files and write its alias, as {{in_2}}',
    )
  }
  return extname(inputPath('in', fileName)).slice(1)
}
